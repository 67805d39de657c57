"""Test that casts round as torch does, and count what they lose."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from porter.types import PorterError
from porter.weights.dtypes import (
    DTYPES,
    Array,
    CastReport,
    cast,
    find_float,
    measure_cast,
)
from tests.weights.support import bits

ALL_16_BITS = np.arange(1 << 16, dtype=np.uint16)
TORCH = {
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
    "float32": torch.float32,
    "float64": torch.float64,
}


def hard_values() -> torch.Tensor:
    """Return float32 bit patterns: every upper half, with lower halves at and around the tie."""
    upper = np.arange(1 << 16, dtype=np.uint32) << 16
    lower = np.array([0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF], np.uint32)
    return torch.from_numpy((upper[:, None] | lower).reshape(-1).view(np.float32))


@pytest.mark.parametrize("target", ["float16", "bfloat16", "float64"])
def test_float32_is_rounded_as_torch_does(target: str) -> None:
    values = hard_values()
    found = cast(values.numpy(), DTYPES["float32"], DTYPES[target])
    wanted = bits(values.to(TORCH[target]))
    number = ~torch.isnan(values).numpy()
    assert np.array_equal(found[number], wanted[number])
    back = cast(found, DTYPES[target], DTYPES["float32"])
    assert np.isnan(back[~number]).all()


@pytest.mark.parametrize("source", ["float16", "bfloat16"])
@pytest.mark.parametrize("target", ["float32", "float64", "float16", "bfloat16"])
def test_every_16_bit_value_is_cast_as_torch_does(source: str, target: str) -> None:
    stored = ALL_16_BITS.view(DTYPES[source].storage)
    values = torch.from_numpy(ALL_16_BITS.view(np.int16)).view(TORCH[source])
    found = cast(stored, DTYPES[source], DTYPES[target])
    number = ~torch.isnan(values).numpy()
    assert found.dtype == DTYPES[target].storage
    assert np.array_equal(found[number], bits(values.to(TORCH[target]))[number])


def test_float64_goes_to_bfloat16_through_float32_as_in_torch() -> None:
    values = torch.tensor([1 + 2**-8 + 2**-30, 1 + 2**-8, 1e300, -1e-300, 0.1], dtype=torch.float64)
    found = cast(values.numpy(), DTYPES["float64"], DTYPES["bfloat16"])
    assert np.array_equal(found, bits(values.to(torch.bfloat16)))


def lose(values: Array, source: str, target: str) -> CastReport:
    after = cast(values, DTYPES[source], DTYPES[target])
    return measure_cast(values, DTYPES[source], after, DTYPES[target])


def test_the_losses_of_a_cast_are_counted() -> None:
    values = np.array([1.0, 1e6, -1e6, 1e-12, 0.1, np.inf, np.nan, 0.0], np.float32)
    report = lose(values, "float32", "float16")
    error = abs(float(np.float32(0.1)) - float(np.float16(0.1)))
    assert report == CastReport(overflowed=2, vanished=1, rounded=4, greatest_error=error)


def test_a_widening_cast_loses_nothing() -> None:
    values = np.array([1.5, -np.inf, 6e-8], np.float16)
    found = cast(values, DTYPES["float16"], DTYPES["float64"])
    assert np.array_equal(found, values.astype(np.float64))
    assert lose(values, "float16", "float64") == CastReport(0, 0, 0, 0.0)


@pytest.mark.parametrize("target", ["float32", "bfloat16"])
def test_the_losses_of_float64_are_counted_exactly(target: str) -> None:
    values = np.array([1 + 2**-40, 1e300, -1e-300, 0.5])
    error = 2.0**-40
    assert lose(values, "float64", target) == CastReport(1, 1, 3, error)


def test_bfloat16_can_overflow_and_vanish_in_float16() -> None:
    values = cast(np.array([1e30, 1e-30, 1.0], np.float32), DTYPES["float32"], DTYPES["bfloat16"])
    report = lose(values, "bfloat16", "float16")
    assert (report.overflowed, report.vanished, report.rounded) == (1, 1, 2)


@pytest.mark.parametrize("shape", [(), (0, 3)])
@pytest.mark.parametrize("target", ["float16", "bfloat16"])
def test_the_shape_of_a_scalar_and_of_an_empty_tensor_is_kept(
    shape: tuple[int, ...], target: str
) -> None:
    narrow = cast(np.ones(shape, np.float32), DTYPES["float32"], DTYPES[target])
    wide = cast(narrow, DTYPES[target], DTYPES["float32"])
    assert narrow.shape == wide.shape == shape
    assert narrow.dtype == DTYPES[target].storage
    assert (wide == 1).all()
    assert lose(np.full(shape, 0.1, np.float32), "float32", target).rounded == wide.size


@pytest.mark.parametrize("name", ["int32", "float8", "Float32", ""])
def test_only_floating_dtypes_can_be_asked_for(name: str) -> None:
    with pytest.raises(PorterError, match="one of float16, bfloat16, float32, float64") as caught:
        find_float(name)
    assert caught.value.code == "PRT703"
