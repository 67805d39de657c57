"""Compare the activation cells with those of transformers in every mode."""

from __future__ import annotations

import mindspore as ms
import numpy as np
import pytest
import torch
from mindspore import nn
from transformers import activations as reference

from porter.runtime import activations

from .support import check, floats

LINE = np.concatenate([np.linspace(-12.01, 12, 97), [-60.0, 1e-4, 60.0]]).astype(np.float32)
SMOOTH = np.array([0.0], np.float32)
KINKED = {"hardswish", "leaky_relu", "relu6"}
NAMES = sorted(set(activations.ACT2FN) - {"prelu", "xielu"})


@pytest.mark.parametrize("name", NAMES)
def test_activation_is_transformers(name: str) -> None:
    # The derivative at a kink is a choice, and MindSpore's is not torch's: keep off 0, 3 and 6.
    line = LINE if name in KINKED else np.concatenate([LINE, SMOOTH])
    check(lambda: activations.ACT2FN[name], reference.ACT2FN[name], line)


@pytest.mark.parametrize("name", ["gelu", "gelu_new", "quick_gelu", "silu", "tanh"])
def test_activation_keeps_half_precision(name: str) -> None:
    check(
        lambda: activations.ACT2FN[name],
        reference.ACT2FN[name],
        floats(3, 4, dtype="float16"),
        gradient=False,
        tolerance={"rtol": 2e-3, "atol": 1e-4},
    )


def test_names_are_transformers() -> None:
    assert set(activations.ACT2FN) == set(reference.ACT2FN)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_xielu_has_its_weights_in_the_dtype_that_is_asked(dtype: str) -> None:
    check(
        lambda: activations.ACT2CLS["xielu"](dtype=getattr(ms, dtype)),
        reference.ACT2CLS["xielu"](dtype=getattr(torch, dtype)),
        LINE,
        gradient=dtype == "float32",
    )


def test_classes_are_named_as_in_transformers() -> None:
    classes = {name: type(reference.ACT2FN[name]).__name__ for name in NAMES}
    named = {name: found for name, found in classes.items() if hasattr(activations, found)}
    assert len(named) > 12
    for name, found in named.items():
        assert type(activations.ACT2FN[name]).__name__ == found


def test_each_lookup_gives_a_new_cell() -> None:
    first, second = activations.ACT2FN["prelu"], activations.get_activation("prelu")
    assert isinstance(first, nn.Cell)
    assert first is not second
    assert first.weight is not second.weight


def test_unknown_name_is_refused() -> None:
    with pytest.raises(KeyError, match=r"nonsense.*gelu_new"):
        activations.get_activation("nonsense")
