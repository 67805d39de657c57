"""Test conversions: values behind the Cell's forward, and everything that must not fit."""

# mypy: allow-subclassing-any
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
import pytest
import torch
from mindspore import nn

from porter.mapping.load import Mapping
from porter.types import PorterError
from porter.weights.convert import convert_weights
from porter.weights.names import read_tensor
from porter.weights.report import WeightsError
from tests.weights.support import (
    Linear,
    Network,
    bits,
    load,
    places,
    refuse,
    save,
    state,
    torch_network,
)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("source", ["m.safetensors", "m.pt"])
@pytest.mark.parametrize("target", ["m.ckpt", "out.safetensors"])
def test_the_cell_computes_what_torch_computes(
    folder: Path, mapping: Mapping, source: str, target: str, mode: int
) -> None:
    network = torch_network()
    path = save(network.state_dict(), folder / source)
    convert_weights(path, folder / target, cell=Network(), mapping=mapping)
    cell = load(folder / target, Network()).set_train(False)
    tokens = np.array([[0, 3, 6], [1, 1, 2]], np.int64)
    ms.set_context(mode=mode)
    found = cell(ms.Tensor(tokens)).asnumpy()
    ms.set_context(mode=ms.PYNATIVE_MODE)
    wanted = network(torch.from_numpy(tokens)).detach().numpy()
    assert found.shape == wanted.shape == (2, 7)
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


def test_every_bit_arrives(folder: Path, mapping: Mapping) -> None:
    network = torch_network()
    path = save(network.state_dict(), folder / "m.pt")
    convert_weights(path, folder / "m.ckpt", cell=Network(), mapping=mapping)
    cell = load(folder / "m.ckpt", Network())
    pairs: tuple[tuple[Any, Any], ...] = (
        (cell.blocks[1][0].gamma, network.blocks[1][0].weight),  # type: ignore[index]
        (cell.convolution.weight[:, :, 0, :], network.convolution.weight),
        (cell.norm.moving_variance, network.norm.running_var),
        (cell.head.weight, network.embedding.weight),
        (cell.scale, network.scale),
    )
    for found, wanted in pairs:
        assert np.array_equal(read_tensor(found)[0], bits(wanted))


def test_the_report_names_every_tensor(folder: Path, mapping: Mapping) -> None:
    path = save(torch_network().state_dict(), folder / "m.pt")
    report = convert_weights(path, folder / "m.ckpt", cell=Network(), mapping=mapping)
    data = json.loads(json.dumps(report.to_json()))
    rows = {row["target"]: row for row in data["tensors"]}
    assert set(rows) == {parameter.name for parameter in Network().get_parameters()}
    assert rows["convolution.weight"] == {
        "sources": ["convolution.weight"],
        "target": "convolution.weight",
        "transform": "insert_axis:2",
        "rule": "torch.nn.Conv1d",
        "source_shape": [4, 4, 3],
        "shape": [4, 4, 1, 3],
        "source_dtype": "float32",
        "dtype": "float32",
        "cast": None,
        "tied": [],
    }
    assert rows["embedding.embedding_table"]["sources"] == ["embedding.weight", "head.weight"]
    assert data["ignored"] == [
        {
            "source": "norm.num_batches_tracked",
            "reason": "the mapping of torch.nn.BatchNorm1d drops it",
        }
    ]
    assert data["size"] == sum(p.numel() for p in Network().get_parameters()) * 4
    (finding,) = data["findings"]
    assert (finding["code"], finding["severity"]) == ("PRT506", "note")
    assert "head.weight is tied to embedding.weight" in finding["message"]


def test_all_that_does_not_fit_is_listed_at_once(folder: Path, mapping: Mapping) -> None:
    class Two(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.norm = nn.LayerNorm((2,))
            self.convolution = nn.Conv1d(2, 2, 3)
            self.scale = ms.Parameter(ms.Tensor([1.0]))

    tensors = {
        "norm.weight": torch.ones(3),
        "norm.gamma": torch.ones(2),
        "convolution.weight": torch.ones(2, 2, 1, 3),
        "scale": torch.ones(1, dtype=torch.float16),
        "extra": torch.ones(1),
    }
    error = refuse(folder, mapping, tensors, Two())
    assert places(error) == [
        (
            "PRT504",
            "scale for Parameter scale: the checkpoint has float16, where the Cell has float32",
        ),
        (
            "PRT503",
            "norm.weight for Parameter norm.gamma: "
            "the checkpoint has (3,), where the Cell has (2,)",
        ),
        ("PRT502", "no tensor fills Parameter norm.beta: needs norm.bias"),
        (
            "PRT503",
            "convolution.weight for Parameter convolution.weight: the checkpoint has (2, 2, 1, 3), "
            "as (2, 2, 1, 1, 3), where the Cell has (2, 2, 1, 3)",
        ),
        ("PRT501", "no Parameter of the Cell is called norm.gamma in torch"),
        ("PRT501", "no Parameter of the Cell is called extra in torch"),
    ]
    assert "2 unmatched in the checkpoint (PRT501), 1 unfilled in the Cell (PRT502)" in str(error)


def test_an_existing_output_stays_when_nothing_fits(folder: Path, mapping: Mapping) -> None:
    path = save({"a": torch.ones(1)}, folder / "m.pt")
    (folder / "out.ckpt").write_bytes(b"old")
    with pytest.raises(WeightsError):
        convert_weights(path, folder / "out.ckpt", cell=Linear(), mapping=mapping)
    assert (folder / "out.ckpt").read_bytes() == b"old"


def test_a_linear_weight_in_the_other_layout_is_no_match(folder: Path, mapping: Mapping) -> None:
    error = refuse(folder, mapping, state(linear__weight=torch.ones(2, 3)))
    assert [code for code, _ in places(error)] == ["PRT503"]


# --- tied weights -----------------------------------------------------------------------------


@pytest.mark.parametrize("kept", ["embedding.weight", "head.weight"])
def test_a_tied_weight_may_be_stored_once(folder: Path, mapping: Mapping, kept: str) -> None:
    tensors = torch_network().state_dict()
    other = ({"embedding.weight", "head.weight"} - {kept}).pop()
    wanted = tensors.pop(other)
    path = save(tensors, folder / "m.safetensors")
    report = convert_weights(path, folder / "m.ckpt", cell=Network(), mapping=mapping)
    assert report.findings() == ()
    cell = load(folder / "m.ckpt", Network())
    assert np.array_equal(cell.embedding.embedding_table.asnumpy(), wanted.numpy())
    assert np.array_equal(cell.head.weight.asnumpy(), wanted.numpy())


@pytest.mark.parametrize("change", ["sign of zero", "dtype", "value"])
def test_tied_weights_that_differ_are_refused(folder: Path, mapping: Mapping, change: str) -> None:
    tensors = torch_network().state_dict()
    weight = tensors["embedding.weight"].clone()
    weight[0, 0] = 0.0
    other = weight.clone()
    if change == "sign of zero":
        other[0, 0] = -0.0
    elif change == "value":
        other[0, 0] = 1e-30
    tensors["embedding.weight"] = weight
    tensors["head.weight"] = other.double() if change == "dtype" else other
    error = refuse(folder, mapping, tensors, Network())
    (code, message), *more = places(error)
    assert (code, more) == ("PRT504" if change == "dtype" else "PRT506", [])
    assert "head.weight" in message


def test_tied_weights_of_other_dtypes_stay_unequal_under_a_cast(
    folder: Path, mapping: Mapping
) -> None:
    tensors = torch_network().state_dict()
    tensors["head.weight"] = tensors["head.weight"].double()
    error = refuse(folder, mapping, tensors, Network(), dtype="float32")
    assert places(error) == [
        (
            "PRT506",
            "embedding.weight and head.weight differ, "
            "and both are Parameter embedding.embedding_table",
        )
    ]


def test_a_cell_that_does_not_tie_needs_both(folder: Path, mapping: Mapping) -> None:
    class Untied(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(7, 4)
            self.head = nn.Dense(4, 7, has_bias=False)

    error = refuse(folder, mapping, {"embedding.weight": torch.ones(7, 4)}, Untied())
    assert places(error) == [("PRT502", "no tensor fills Parameter head.weight: needs head.weight")]


# --- buffers that the Cell builds itself --------------------------------------------------------


class Positions(Linear):
    """Hold position ids as the Cells of a port do: a tensor that is no Parameter."""

    def __init__(self) -> None:
        super().__init__()
        self.position_ids = ms.Tensor(np.arange(4)[None], ms.int32)
        self.mask = ms.Tensor([0.0, 1.0], ms.float32)


def test_a_buffer_with_the_cells_own_values_is_left_out(folder: Path, mapping: Mapping) -> None:
    tensors = state(position_ids=torch.arange(4)[None], mask=torch.tensor([0.0, 1.0]))
    path = save(tensors, folder / "m.pt")
    report = convert_weights(path, folder / "m.ckpt", cell=Positions(), mapping=mapping)
    reason = "the Cell builds the same values itself"
    assert [(item.source, item.reason) for item in report.ignored] == [
        ("position_ids", reason),
        ("mask", reason),
    ]


@pytest.mark.parametrize(
    "buffer",
    [
        {"position_ids": torch.arange(5)[None]},
        {"position_ids": torch.arange(1, 5)[None]},
        {"position_ids": torch.arange(4.0)[None]},
        {"mask": torch.tensor([0.0, 2.0])},
        {"mask": torch.tensor([0.0, 1.0], dtype=torch.float64)},
    ],
)
def test_a_buffer_with_other_values_is_refused(
    folder: Path, mapping: Mapping, buffer: dict[str, torch.Tensor]
) -> None:
    error = refuse(folder, mapping, state(**buffer), Positions())
    (name,) = buffer
    assert places(error) == [
        ("PRT501", f"{name} is no Parameter, and the Cell builds other values for it")
    ]


# --- prefix and ignore ---------------------------------------------------------------------------


def prefixed() -> dict[str, torch.Tensor]:
    tensors = {f"model.{name}": value for name, value in state().items()}
    return tensors | {"vision.linear.weight": torch.zeros(3, 2)}


def test_a_part_of_a_larger_checkpoint_is_taken_by_its_prefix(
    folder: Path, mapping: Mapping
) -> None:
    tensors = prefixed()
    path = save(tensors, folder / "m.pt")
    report = convert_weights(
        path, folder / "m.ckpt", cell=Linear(), mapping=mapping, prefix="model."
    )
    assert [item.sources for item in report.tensors] == [
        ("model.linear.weight",),
        ("model.linear.bias",),
    ]
    assert [(item.source, item.reason) for item in report.ignored] == [
        ("vision.linear.weight", "outside the prefix model.")
    ]
    cell = load(folder / "m.ckpt", Linear())
    assert np.array_equal(cell.linear.weight.asnumpy(), tensors["model.linear.weight"].numpy())


def test_a_prefix_that_would_fill_everything_is_named(folder: Path, mapping: Mapping) -> None:
    assert refuse(folder, mapping, prefixed()).hint == "give --prefix model."
    tensors = {"model.linear.weight": torch.ones(3, 2)}
    assert refuse(folder, mapping, tensors).hint is None


def test_names_are_ignored_only_as_a_whole(folder: Path, mapping: Mapping) -> None:
    path = save(state(head__bias=torch.ones(1)), folder / "m.pt")
    options: dict[str, Any] = {"cell": Linear(), "mapping": mapping}
    report = convert_weights(path, folder / "m.ckpt", ignore=[r"head\..*"], **options)
    assert [item.reason for item in report.ignored] == [r"ignored by request: head\..*"]
    with pytest.raises(PorterError, match="matches no tensor") as caught:
        convert_weights(path, folder / "m.ckpt", ignore=["head"], **options)
    assert caught.value.code == "PRT703"


def test_ignoring_what_the_cell_needs_leaves_a_parameter_unfilled(
    folder: Path, mapping: Mapping
) -> None:
    error = refuse(folder, mapping, state(), ignore=[".*bias"])
    assert places(error) == [("PRT502", "no tensor fills Parameter linear.bias: needs linear.bias")]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"prefix": "nothing."}, "no tensor's name starts with 'nothing.'"),
        ({"ignore": ["("]}, "no regular expression"),
        ({"dtype": "int8"}, "no floating dtype is called 'int8'"),
    ],
)
def test_options_that_cannot_be_are_refused(
    folder: Path, mapping: Mapping, options: dict[str, Any], reason: str
) -> None:
    path = save(state(), folder / "m.pt")
    with pytest.raises(PorterError) as caught:
        convert_weights(path, folder / "m.ckpt", cell=Linear(), mapping=mapping, **options)
    assert (caught.value.code, reason in str(caught.value)) == ("PRT703", True)
    assert not (folder / "m.ckpt").exists()


def test_the_cell_keeps_its_own_values(folder: Path, mapping: Mapping) -> None:
    cell = Linear()
    before = cell.linear.weight.asnumpy().copy()
    convert_weights(save(state(), folder / "m.pt"), folder / "m.ckpt", cell=cell, mapping=mapping)
    assert np.array_equal(cell.linear.weight.asnumpy(), before)
