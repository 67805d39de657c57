"""Test that every Parameter finds its torch names, and that what is ambiguous is refused."""

# mypy: allow-subclassing-any
from __future__ import annotations

import sys
import types

import mindspore as ms
import numpy as np
import pytest
from mindspore import nn

from porter.mapping.load import Mapping
from porter.types import PorterError
from porter.weights.names import NameMap, find_constant, map_names
from tests.weights.support import Network, entry, table, torch_network


def torch_names(names: NameMap) -> dict[str, list[str]]:
    return {item.key: [source.name for source in item.sources] for item in names.parameters}


def test_the_map_is_total_against_a_real_torch_module(mapping: Mapping) -> None:
    names = map_names(Network(), mapping)
    found = {source.name for item in names.parameters for source in item.sources}
    assert found | set(names.dropped) == set(torch_network().state_dict())
    assert names.dropped == {
        "norm.num_batches_tracked": "the mapping of torch.nn.BatchNorm1d drops it"
    }
    assert [item.key for item in names.parameters] == [
        parameter.name for parameter in Network().get_parameters()
    ]


def test_a_tied_parameter_has_both_names(mapping: Mapping) -> None:
    names = torch_names(map_names(Network(), mapping))
    assert names["embedding.embedding_table"] == ["embedding.weight", "head.weight"]


class Shared(nn.Cell):
    """Hold one Cell under three paths; MindSpore lists it once and names it after the last."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.LayerNorm((2,))
        self.layers = nn.CellList([nn.Dense(2, 2), self.first])
        self.last = self.first


def test_a_shared_cell_is_found_by_every_path(mapping: Mapping) -> None:
    cell = Shared()
    assert "first.gamma" in dict(cell.parameters_and_names())
    assert cell.first.gamma.name == "last.gamma"
    names = torch_names(map_names(cell, mapping))
    assert names["last.gamma"] == ["first.weight", "layers.1.weight", "last.weight"]
    assert names["layers.0.weight"] == ["layers.0.weight"]


def test_the_key_is_the_name_that_mindspore_loads_by(mapping: Mapping) -> None:
    class Named(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.scale = ms.Parameter(ms.Tensor([1.0]), name="another_name")

    cell = Named()
    assert torch_names(map_names(cell, mapping)) == {"another_name": ["scale"]}
    value = {"another_name": ms.Parameter(ms.Tensor([3.0]))}
    assert ms.load_param_into_net(cell, value, strict_load=True) == ([], [])


def test_one_key_for_two_parameters_is_refused(mapping: Mapping) -> None:
    class Named(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.a = ms.Parameter(ms.Tensor([1.0]), name="w")
            self.b = nn.Dense(1, 1)
            self.b.weight.name = "w"

    with pytest.raises(PorterError, match=r"named w \(a and b.weight in torch\)") as caught:
        map_names(Named(), mapping)
    assert caught.value.code == "PRT502"


class TwoNorms(nn.Cell):
    """Hold a mapped Cell and one derived from it."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm((2,))
        self.own = OwnNorm((2,))


class OwnNorm(nn.LayerNorm):
    """Derive from a mapped Cell and add a Parameter, as an adapter does."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        super().__init__(shape)
        self.shift = ms.Parameter(ms.Tensor(np.zeros(2, np.float32)))


def test_a_subclass_follows_the_rule_of_its_base(mapping: Mapping) -> None:
    names = torch_names(map_names(TwoNorms(), mapping))
    assert names["own.gamma"] == ["own.weight"]
    assert names["own.shift"] == ["own.shift"]


def test_the_rule_of_a_subclass_comes_before_that_of_its_base() -> None:
    module = types.ModuleType("a_port.runtime.norms")
    cell_class = type("Norm", (OwnNorm,), {"__module__": module.__name__})
    rule = entry("torch.nn.RMSNorm", "runtime.norms.Norm", {"scale": "gamma"})
    names = torch_names(map_names(cell_class((2,)), table(rule)))
    assert names["gamma"] == ["scale"]
    assert names["beta"] == ["beta"]


def test_a_runtime_class_is_not_found_by_its_name_alone() -> None:
    cell_class = type("Norm", (nn.Cell,), {"__module__": "a_port.model"})
    cell = cell_class()
    cell.gamma = ms.Parameter(ms.Tensor([1.0]), name="gamma")
    rule = entry("torch.nn.RMSNorm", "runtime.norms.Norm", {"scale": "gamma"})
    assert torch_names(map_names(cell, table(rule))) == {"gamma": ["gamma"]}


def test_a_rule_may_name_what_an_inner_cell_owns() -> None:
    rule = entry(
        "torch.nn.TransformerEncoderLayer",
        "mindspore.nn.TransformerEncoderLayer",
        {"linear1.weight": "dense1.weight", "linear1.bias": "dense1.bias"},
    )

    class Outer(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.TransformerEncoderLayer(4, 2, 8)

    names = torch_names(map_names(Outer(), table(rule)))
    assert names["layer.dense1.bias"] == ["layer.linear1.bias"]
    assert names["layer.norm1.gamma"] == ["layer.norm1.weight"]
    assert names["layer.self_attn.out_proj.weight"] == ["layer.self_attn.out_proj.weight"]


def test_the_rule_of_the_outer_cell_decides() -> None:
    rule = entry(
        "torch.nn.TransformerEncoderLayer",
        "mindspore.nn.TransformerEncoderLayer",
        {"first_norm.weight": "norm1.gamma"},
    )
    names = torch_names(map_names(nn.TransformerEncoderLayer(4, 2, 8), table(rule)))
    assert names["norm1.gamma"] == ["first_norm.weight"]
    assert names["norm2.gamma"] == ["norm2.weight"]


def test_two_rules_for_one_class_are_ambiguous() -> None:
    other = entry("torch.nn.Bilinear", "mindspore.nn.Dense", None, {"weight": "permute:1,0"})
    with pytest.raises(PorterError, match=r"torch.nn.Linear and torch.nn.Bilinear") as caught:
        map_names(nn.Dense(2, 2), table(other))
    assert caught.value.code == "PRT901"
    # A model without such a Cell is not concerned.
    assert map_names(nn.LayerNorm((2,)), table(other)).parameters


@pytest.mark.parametrize("weights", [None, {"weight": "weight"}])
def test_two_rules_that_say_the_same_agree(weights: dict[str, str] | None) -> None:
    other = entry("torch.nn.LazyLinear", "mindspore.nn.Dense", weights)
    assert torch_names(map_names(nn.Dense(2, 2), table(other))) == {
        "weight": ["weight"],
        "bias": ["bias"],
    }


def test_rules_that_differ_in_what_they_drop_do_not_agree() -> None:
    other = entry("torch.nn.Other", "mindspore.nn.Dense", {"mask": ""})
    with pytest.raises(PorterError, match="different weights"):
        map_names(nn.Dense(2, 2), table(other))


def test_a_rule_that_makes_two_parameters_one_is_refused() -> None:
    rule = entry("torch.nn.Odd", "mindspore.nn.LayerNorm", {"beta": "gamma"})
    with pytest.raises(PorterError, match="two Parameters of the Cell are beta in torch"):
        map_names(nn.LayerNorm((2,)), Mapping(types.MappingProxyType({"a": rule}), *NOTHING))


NOTHING = (frozenset[str](), frozenset[str]())


def test_a_rule_that_names_one_parameter_twice_is_refused() -> None:
    rule = entry("torch.nn.Odd", "mindspore.nn.GRU", {"a": "gamma", "b": "gamma"})
    with pytest.raises(PorterError, match="name one Cell parameter twice"):
        map_names(nn.LayerNorm((2,)), table(rule))


def test_a_target_that_this_mindspore_has_not_is_passed_over() -> None:
    rules = (entry("torch.nn.A", "mindspore.nn.NoSuch"), entry("torch.nn.B", "no.such.Module"))
    assert map_names(nn.LayerNorm((2,)), table(*rules)).parameters


def test_a_dtype_that_no_file_holds_is_refused(mapping: Mapping) -> None:
    class Complex(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.phase_factor = ms.Parameter(ms.Tensor(np.ones(1, np.complex64)))

    with pytest.raises(PorterError, match="phase_factor is Complex64") as caught:
        map_names(Complex(), mapping)
    assert caught.value.code == "PRT504"


def test_constants_are_found_by_their_path() -> None:
    class Inner(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.plain = ms.Tensor([1, 2])
            self.register_buffer("buffer", ms.Tensor([3]), persistent=False)
            self.scale = ms.Parameter(ms.Tensor([1.0]))
            self.number = 3

    cell = nn.CellList([Inner()])
    found = {name: find_constant(cell, f"0.{name}") for name in ("plain", "buffer")}
    assert [value.asnumpy().tolist() for value in found.values() if value is not None] == [
        [1, 2],
        [3],
    ]
    for name in ("0.scale", "0.number", "0.missing", "1.plain", "0.plain.deeper", "plain"):
        assert find_constant(cell, name) is None


def test_this_file_needs_no_port() -> None:
    assert "a_port.runtime.norms" not in sys.modules
