"""Read descriptions of inputs, and refuse what is none."""

from __future__ import annotations

import pytest

from porter.check.input_spec import TensorSpec, read_inputs
from porter.types import PorterError


def test_tensors_literals_and_names_are_read() -> None:
    spec = read_inputs("float32[batch:2, 16], 3, [bool[4], 0.5], mask=int64, flag=True")
    first, second, third = spec.positional
    assert first == TensorSpec("float32", (2, 16), (True, False))
    assert second == 3
    assert third == [TensorSpec("bool", (4,), (False,)), 0.5]
    assert dict(spec.named) == {"mask": TensorSpec("int64", (), ()), "flag": True}


def test_named_dimensions_are_dynamic_and_grow() -> None:
    spec = read_inputs("float32[n, 16], x=float32[3]")
    tensor = spec.positional[0]
    assert tensor.declared == (None, 16)
    assert dict(spec.named)["x"].declared == (None,)
    grown = spec.grown()
    assert grown.positional[0].shape == (4, 16)
    assert dict(grown.named)["x"].shape == (3,)


@pytest.mark.parametrize(
    "text", ["float33[2]", "float32[2", "float32['a']", "x", "f(1)", "*a", "**a", "float32[1:2]"]
)
def test_what_is_no_description_is_refused(text: str) -> None:
    with pytest.raises(PorterError) as caught:
        read_inputs(text)
    assert caught.value.code == "PRT803"
