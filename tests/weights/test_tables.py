"""Test porter's own tables: each torch module's state dict fills the Cell that it becomes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mindspore.nn as cells
import numpy as np
import pytest
import torch
from mindspore import mint
from safetensors.torch import load_file
from torch import nn
from torch.nn.utils import parametrizations
from transformers.pytorch_utils import Conv1D

from porter.mapping.load import load_mappings
from porter.runtime import layers, weight_norm
from porter.weights.convert import convert_weights
from porter.weights.restore import restore_weights
from tests.weights.support import bits, load, save

Maker = Callable[[], Any]
PAIRS: dict[str, tuple[Maker, Maker]] = {
    "BatchNorm1d": (lambda: nn.BatchNorm1d(4), lambda: cells.BatchNorm1d(4)),
    "BatchNorm2d": (lambda: nn.BatchNorm2d(4), lambda: cells.BatchNorm2d(4)),
    "BatchNorm3d": (lambda: nn.BatchNorm3d(4), lambda: cells.BatchNorm3d(4)),
    "Conv1d": (
        lambda: nn.Conv1d(4, 6, 3, groups=2),
        lambda: cells.Conv1d(4, 6, 3, group=2, has_bias=True),
    ),
    "Conv2d": (lambda: nn.Conv2d(4, 6, (3, 2)), lambda: cells.Conv2d(4, 6, (3, 2), has_bias=True)),
    "Conv3d": (lambda: nn.Conv3d(4, 6, 3), lambda: cells.Conv3d(4, 6, 3, has_bias=True)),
    "ConvTranspose2d": (
        lambda: nn.ConvTranspose2d(4, 6, 3),
        lambda: cells.Conv2dTranspose(4, 6, 3, has_bias=True),
    ),
    "Embedding": (lambda: nn.Embedding(5, 3), lambda: cells.Embedding(5, 3)),
    "GroupNorm": (lambda: nn.GroupNorm(2, 4), lambda: mint.nn.GroupNorm(2, 4)),
    "LayerNorm": (lambda: nn.LayerNorm((2, 4)), lambda: cells.LayerNorm((2, 4))),
    "LayerNorm, runtime": (
        lambda: nn.LayerNorm((2, 4), bias=False),
        lambda: layers.LayerNorm((2, 4), bias=False),
    ),
    "Linear": (lambda: nn.Linear(3, 5), lambda: cells.Dense(3, 5)),
    "GRU": (lambda: nn.GRU(3, 2, bidirectional=True), lambda: cells.GRU(3, 2, bidirectional=True)),
    "LSTM": (lambda: nn.LSTM(3, 2, 2, bias=False), lambda: cells.LSTM(3, 2, 2, has_bias=False)),
    "LSTMCell": (lambda: nn.LSTMCell(3, 2), lambda: cells.LSTMCell(3, 2)),
    "GRUCell": (lambda: nn.GRUCell(3, 2), lambda: cells.GRUCell(3, 2)),
    "LSTM, bidirectional": (
        lambda: nn.LSTM(3, 2, 2, bidirectional=True),
        lambda: cells.LSTM(3, 2, 2, bidirectional=True),
    ),
    "MultiheadAttention": (
        lambda: nn.MultiheadAttention(4, 2),
        lambda: layers.MultiheadAttention(4, 2),
    ),
    "Conv1D of GPT-2": (lambda: Conv1D(6, 4), lambda: layers.Conv1D(6, 4)),
    "weight_norm": (
        lambda: parametrizations.weight_norm(nn.Linear(3, 5)),
        lambda: weight_norm.weight_norm(cells.Dense(3, 5)),
    ),
    "weight_norm, older": (
        lambda: nn.utils.weight_norm(nn.Linear(3, 5)),
        lambda: weight_norm.weight_norm_pair(cells.Dense(3, 5)),
    ),
    "weight_norm of Conv1d": (
        lambda: parametrizations.weight_norm(nn.Conv1d(4, 6, 3)),
        lambda: weight_norm.weight_norm(cells.Conv1d(4, 6, 3, has_bias=True)),
    ),
    "PReLU": (lambda: nn.PReLU(4), lambda: cells.PReLU(4)),
    "RMSNorm": (lambda: nn.RMSNorm(4), lambda: layers.RMSNorm(4)),
    "InstanceNorm2d": (
        lambda: nn.InstanceNorm2d(4, affine=True),
        lambda: layers.InstanceNorm2d(4, affine=True),
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_a_module_fills_its_cell_and_comes_back(folder: Path, name: str) -> None:
    make_module, make_cell = PAIRS[name]
    module = make_module()
    state = {
        key: torch.randn(value.shape) if value.is_floating_point() else value
        for key, value in module.state_dict().items()
    }
    mapping = load_mappings()
    path = save({f"inner.{key}": value for key, value in state.items()}, folder / "m.pt")
    there = folder / "there.safetensors"
    report = convert_weights(
        path, there, cell=cells.CellDict({"inner": make_cell()}), mapping=mapping
    )
    load(there, cells.CellDict({"inner": make_cell()}))
    restore_weights(
        there,
        folder / "back.safetensors",
        cell=cells.CellDict({"inner": make_cell()}),
        mapping=mapping,
    )
    back = load_file(folder / "back.safetensors")
    left_out = {item.source for item in report.ignored}
    assert left_out <= {"inner.num_batches_tracked"}
    assert set(back) == {f"inner.{key}" for key in state} - left_out
    for key, value in back.items():
        assert np.array_equal(bits(value), bits(state[key.removeprefix("inner.")]))
