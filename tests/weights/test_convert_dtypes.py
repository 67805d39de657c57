"""Test conversions between dtypes: only when stated, bit by bit otherwise, with every loss told."""

# mypy: allow-subclassing-any
from __future__ import annotations

from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
import pytest
import torch
from mindspore import nn

from porter.mapping.load import Mapping
from porter.weights.convert import convert_weights
from porter.weights.names import read_tensor
from tests.weights.support import Linear, bits, load, places, refuse, save, state


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (torch.float16, ms.float32),
        (torch.bfloat16, ms.float32),
        (torch.float32, ms.float16),
        (torch.float64, ms.float32),
        (torch.bfloat16, ms.float16),
    ],
)
def test_a_change_of_dtype_must_be_stated(
    folder: Path, mapping: Mapping, source: torch.dtype, target: Any
) -> None:
    tensors = {name: value.to(source) for name, value in state().items()}
    error = refuse(folder, mapping, tensors, Linear(target))
    assert {code for code, _ in places(error)} == {"PRT504"}
    assert error.hint == "give --dtype to state the change"


@pytest.mark.parametrize("target", ["m.ckpt", "out.safetensors"])
@pytest.mark.parametrize(
    ("dtype", "cell_dtype"), [(torch.bfloat16, ms.bfloat16), (torch.float16, ms.float16)]
)
def test_16_bit_weights_keep_their_bits(
    folder: Path, mapping: Mapping, target: str, dtype: torch.dtype, cell_dtype: Any
) -> None:
    tensors = {name: value.to(dtype) for name, value in state().items()}
    path = save(tensors, folder / "m.pt")
    convert_weights(path, folder / target, cell=Linear(cell_dtype), mapping=mapping)
    cell = load(folder / target, Linear(cell_dtype))
    assert cell.linear.weight.dtype == cell_dtype
    assert np.array_equal(read_tensor(cell.linear.weight)[0], bits(tensors["linear.weight"]))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_a_stated_dtype_is_written_and_its_losses_reported(
    folder: Path, mapping: Mapping, dtype: str
) -> None:
    tensors = state(linear__bias=torch.tensor([1.0, 0.1, 1e-30]))
    path = save(tensors, folder / "m.pt")
    report = convert_weights(path, folder / "m.ckpt", cell=Linear(), mapping=mapping, dtype=dtype)
    loaded = ms.load_checkpoint(str(folder / "m.ckpt"))
    wanted = bits(tensors["linear.bias"].to(getattr(torch, dtype)))
    assert np.array_equal(read_tensor(loaded["linear.bias"])[0], wanted)
    cast = report.tensors[1].cast
    assert cast is not None
    assert (cast.vanished, cast.rounded) == ((1, 2) if dtype == "float16" else (0, 2))
    codes = [(finding.code, finding.severity) for finding in report.findings()]
    assert codes == [("PRT504", "warning")] * 2


def test_widening_is_no_finding(folder: Path, mapping: Mapping) -> None:
    path = save({name: value.half() for name, value in state().items()}, folder / "m.pt")
    report = convert_weights(
        path, folder / "m.ckpt", cell=Linear(), mapping=mapping, dtype="float32"
    )
    assert report.findings() == ()
    assert {item.source_dtype for item in report.tensors} == {"float16"}
    load(folder / "m.ckpt", Linear())


def test_a_cast_that_overflows_is_refused(folder: Path, mapping: Mapping) -> None:
    tensors = state(linear__weight=torch.tensor([[1e6, 1.0], [2.0, -1e9], [0.0, float("inf")]]))
    error = refuse(folder, mapping, tensors, dtype="float16")
    assert places(error) == [
        ("PRT504", "linear.weight: 2 finite values become infinite in float16")
    ]


def test_integers_are_never_cast(folder: Path, mapping: Mapping) -> None:
    class Steps(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.steps = ms.Parameter(ms.Tensor([1], ms.int32), requires_grad=False)

    error = refuse(folder, mapping, {"steps": torch.tensor([3])}, Steps(), dtype="float16")
    assert [code for code, _ in places(error)] == ["PRT504"]
    path = save({"steps": torch.tensor([3], dtype=torch.int32)}, folder / "m.pt")
    convert_weights(path, folder / "m.ckpt", cell=Steps(), mapping=mapping, dtype="float16")
    assert load(folder / "m.ckpt", Steps()).steps.asnumpy().tolist() == [3]
