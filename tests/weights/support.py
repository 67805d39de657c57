"""Build torch modules, the Cells they become, and a mapping table between them."""

# mypy: allow-subclassing-any
from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import Any

import mindspore as ms
import numpy as np
import numpy.typing as npt
import pytest
import torch
from mindspore import nn

from porter.mapping.load import Mapping
from porter.mapping.schema import Entry, Overload
from porter.weights.convert import convert_weights
from porter.weights.report import WeightsError

NORM = {"weight": "gamma", "bias": "beta"}
BATCH_NORM = NORM | {
    "running_mean": "moving_mean",
    "running_var": "moving_variance",
    "num_batches_tracked": "",
}


def entry(
    name: str,
    target: str,
    weights: dict[str, str] | None = None,
    transforms: dict[str, str] | None = None,
) -> Entry:
    """Return a module entry as the mapping tables hold it."""
    return Entry(
        name=name,
        kind="module",
        source="test.toml",
        overloads=(Overload(target=target),),
        difference="names",
        weights=MappingProxyType(weights or {}),
        transforms=MappingProxyType(transforms or {}),
    )


ENTRIES = (
    entry("torch.nn.BatchNorm1d", "mindspore.nn.BatchNorm1d", BATCH_NORM),
    entry("torch.nn.Conv1d", "mindspore.nn.Conv1d", None, {"weight": "insert_axis:2"}),
    entry("torch.nn.Embedding", "mindspore.nn.Embedding", {"weight": "embedding_table"}),
    entry("torch.nn.LayerNorm", "mindspore.nn.LayerNorm", NORM),
    entry("torch.nn.Linear", "mindspore.nn.Dense", {"weight": "weight", "bias": "bias"}),
)


def table(*entries: Entry) -> Mapping:
    """Return a mapping of the standard entries and `entries`."""
    found = {item.name: item for item in (*ENTRIES, *entries)}
    return Mapping(MappingProxyType(found), frozenset(), frozenset())


class TorchNetwork(torch.nn.Module):
    """Hold one of each: embedding, norms, convolution, nested list, tied weight, free parameter."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = torch.nn.Embedding(7, 4)
        self.blocks = torch.nn.ModuleList(
            torch.nn.ModuleList([torch.nn.LayerNorm(4, eps=1e-5), torch.nn.Linear(4, 4)])
            for _ in range(2)
        )
        self.convolution = torch.nn.Conv1d(4, 4, 3, padding=1)
        self.norm = torch.nn.BatchNorm1d(4)
        self.head = torch.nn.Linear(4, 7)
        self.head.weight = self.embedding.weight
        self.scale = torch.nn.Parameter(torch.ones(4))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embedding(tokens)
        for block in self.blocks:
            for layer in block:  # type: ignore[attr-defined]
                x = layer(x)
        x = self.norm(self.convolution(x.transpose(1, 2))[..., 0])
        result: torch.Tensor = self.head(x * self.scale)
        return result


class Network(nn.Cell):
    """The same by hand in MindSpore."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(7, 4)
        self.blocks = nn.CellList(
            [
                nn.CellList([nn.LayerNorm((4,), epsilon=1e-5), nn.Dense(4, 4)]),
                nn.CellList([nn.LayerNorm((4,), epsilon=1e-5), nn.Dense(4, 4)]),
            ]
        )
        self.convolution = nn.Conv1d(4, 4, 3, pad_mode="pad", padding=1, has_bias=True)
        self.norm = nn.BatchNorm1d(4, eps=1e-5)
        self.head = nn.Dense(4, 7)
        self.head.weight = self.embedding.embedding_table
        self.scale = ms.Parameter(ms.Tensor(np.zeros(4, np.float32)))

    def construct(self, tokens: ms.Tensor) -> ms.Tensor:
        x = self.embedding(tokens)
        for block in self.blocks:
            x = block[1](block[0](x))
        x = self.norm(self.convolution(x.swapaxes(1, 2))[..., 0])
        return self.head(x * self.scale)


def torch_network() -> TorchNetwork:
    """Return a network in evaluation mode in which no tensor holds a default value."""
    torch.manual_seed(5)
    network = TorchNetwork().eval()
    with torch.no_grad():
        for tensor in (*network.parameters(), network.norm.running_mean):
            assert tensor is not None
            tensor.copy_(torch.randn(tensor.shape))
        assert network.norm.running_var is not None
        network.norm.running_var.copy_(torch.rand(4) + 0.5)
    return network


def save(state: dict[str, Any], path: Path) -> Path:
    """Write `state` with torch.save, or as safetensors, and return the path."""
    if path.suffix == ".safetensors":
        from safetensors.torch import save_file

        save_file({name: value.contiguous().clone() for name, value in state.items()}, path)
    else:
        torch.save(state, path)
    return path


def load(path: Path, cell: nn.Cell) -> nn.Cell:
    """Load a converted file into `cell` as MindSpore does; every name must fit."""
    values = ms.load_checkpoint(str(path), format=path.suffix[1:])
    assert ms.load_param_into_net(cell, values, strict_load=True) == ([], [])
    return cell


def bits(tensor: torch.Tensor) -> npt.NDArray[Any]:
    """Return a torch tensor's bits, bfloat16 as uint16."""
    if tensor.dtype is torch.bfloat16:
        return tensor.detach().contiguous().view(torch.int16).numpy().view(np.uint16)
    return tensor.detach().contiguous().numpy()


class Linear(nn.Cell):
    """One Dense layer in a dtype."""

    def __init__(self, dtype: Any = ms.float32) -> None:
        super().__init__()
        self.linear = nn.Dense(2, 3, dtype=dtype)


def state(**changes: Any) -> dict[str, torch.Tensor]:
    found = {"linear.weight": torch.randn(3, 2), "linear.bias": torch.randn(3)}
    found |= {name.replace("__", "."): value for name, value in changes.items()}
    return {name: value for name, value in found.items() if value is not None}


def refuse(
    folder: Path,
    mapping: Mapping,
    tensors: dict[str, torch.Tensor],
    cell: Any = None,
    **options: Any,
) -> WeightsError:
    """Convert what does not fit, prove that nothing was written, and return the error."""
    path = save(tensors, folder / "m.pt")
    with pytest.raises(WeightsError) as caught:
        convert_weights(
            path, folder / "out.ckpt", cell=cell or Linear(), mapping=mapping, **options
        )
    assert sorted(item.name for item in folder.iterdir()) == ["m.pt"]
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 1
    return caught.value


def places(error: WeightsError) -> list[tuple[str, str]]:
    return [(finding.code, finding.message) for finding in error.findings]
