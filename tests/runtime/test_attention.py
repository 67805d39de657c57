"""Attention with positions before heads, as diffusers keeps them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from porter.runtime.attention import dispatch_attention
from tests.runtime.support import Call, check


def floats(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


HEADS = (floats(2, 5, 3, 4), floats(2, 6, 3, 4, seed=1), floats(2, 6, 3, 4, seed=2))
KEPT = np.arange(12).reshape(2, 6) % 5 < 3


MASKS = {
    "none": None,
    "of keys": KEPT,
    "added to keys": floats(2, 6, seed=3),
    "whole": floats(2, 1, 5, 6),
}


@pytest.mark.parametrize("name", MASKS)
def test_attention_is_torchs_with_positions_before_heads(name: str) -> None:
    def reference(*arrays: torch.Tensor) -> torch.Tensor:
        query, key, value = (array.transpose(1, 2) for array in arrays[:3])
        bias = arrays[3] if len(arrays) > 3 else None
        bias = bias[:, None, None] if bias is not None and bias.ndim == 2 else bias
        attend = torch.nn.functional.scaled_dot_product_attention
        return attend(query, key, value, bias, scale=0.4).transpose(1, 2)

    arrays = HEADS if MASKS[name] is None else (*HEADS, MASKS[name])
    check(lambda: Call(dispatch_attention, scale=0.4), reference, *arrays)
