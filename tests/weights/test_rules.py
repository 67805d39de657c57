"""Test the rules that carry a checkpoint's own names to those of the module, and back."""

# mypy: allow-subclassing-any
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mindspore import nn
from safetensors.torch import load_file

from porter.mapping.load import Mapping
from porter.types import PorterError
from porter.weights.convert import Conversion
from porter.weights.file_rules import read_rules
from porter.weights.names import map_names
from porter.weights.report import WeightReport, WeightsError
from porter.weights.restore import Restoration
from porter.weights.selection import Selection
from porter.weights.settings import Settings
from tests.weights.support import entry, load, save, table

RULES = r"""
[[rule]]
rename = 'transformer'
to = 'model'

[[rule]]
rename = 'block(\d+)'
to = 'layers.\1'

[[rule]]
transform = '.*\.c_attn\.weight'
by = 'permute:1,0'

[[rule]]
split = '(.*)\.c_attn\.(weight|bias)'
to = ['\1.q.\2', '\1.k.\2', '\1.v.\2']

[[rule]]
fuse = ['(.*)\.gate\.weight', '(.*)\.up\.weight']
to = '\1.gate_up.weight'

[[rule]]
drop = '.*\.inv_freq'
"""


class Layer(nn.Cell):
    """Hold q, k and v apart, and gate and up together."""

    def __init__(self) -> None:
        super().__init__()
        self.q = nn.Dense(4, 4)
        self.k = nn.Dense(4, 4)
        self.v = nn.Dense(4, 4)
        self.gate_up = nn.Dense(4, 6, has_bias=False)


class Model(nn.Cell):
    """Hold two layers."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.CellList([Layer(), Layer()])


class Network(nn.Cell):
    """Hold the model as checkpoints of language models do."""

    def __init__(self) -> None:
        super().__init__()
        self.model = Model()


def state() -> dict[str, torch.Tensor]:
    found: dict[str, torch.Tensor] = {}
    for number in range(2):
        prefix = f"transformer.block{number}"
        found |= {
            f"{prefix}.c_attn.weight": torch.randn(4, 12),
            f"{prefix}.c_attn.bias": torch.randn(12),
            f"{prefix}.gate.weight": torch.randn(2, 4),
            f"{prefix}.up.weight": torch.randn(4, 4),
            f"{prefix}.inv_freq": torch.randn(3),
        }
    return found


def rules(folder: Path, text: str = RULES) -> Selection:
    (folder / "rules.toml").write_text(text)
    return Selection(rules=read_rules(folder / "rules.toml"))


def convert(
    path: Path, output: Path, cell: Any, mapping: Mapping, selection: Selection, **options: Any
) -> WeightReport:
    conversion = Conversion(path, output, selection, Settings(manifest=True, **options))
    return conversion.run(map_names(cell, mapping, conversion.wanted()))


@pytest.mark.parametrize("output", ["out.ckpt", "out.safetensors"])
def test_rules_carry_every_name_and_layout_there_and_back(
    folder: Path, mapping: Mapping, output: str
) -> None:
    tensors = state()
    path = save(tensors, folder / "m.bin")
    selection = rules(folder)
    report = convert(path, folder / output, Network(), mapping, selection)
    cell = load(folder / output, Network())
    for number in range(2):
        prefix = f"transformer.block{number}"
        fused = tensors[f"{prefix}.c_attn.weight"].T.numpy()
        layer = cell.model.layers[number]
        assert np.array_equal(layer.k.weight.asnumpy(), fused[4:8])
        assert np.array_equal(layer.v.bias.asnumpy(), tensors[f"{prefix}.c_attn.bias"][8:])
        both = torch.cat([tensors[f"{prefix}.gate.weight"], tensors[f"{prefix}.up.weight"]])
        assert np.array_equal(layer.gate_up.weight.asnumpy(), both)
    assert [item.source for item in report.ignored] == [
        f"transformer.block{n}.inv_freq" for n in (0, 1)
    ]
    restoration = Restoration(folder / output, folder / "back.safetensors", selection, Settings())
    restoration.run(map_names(Network(), mapping))
    back = load_file(folder / "back.safetensors")
    assert set(back) == {name for name in tensors if not name.endswith("inv_freq")}
    for name, value in back.items():
        assert torch.equal(value, tensors[name]), name


def test_rules_cannot_be_undone_without_the_names_of_the_original(
    folder: Path, mapping: Mapping
) -> None:
    selection = rules(folder)
    convert(save(state(), folder / "m.bin"), folder / "out.ckpt", Network(), mapping, selection)
    (folder / "out.ckpt.porter-weights.json").unlink()
    with pytest.raises(PorterError, match="unreadable manifest") as caught:
        Restoration(folder / "out.ckpt", folder / "b.safetensors", selection, Settings()).run(
            map_names(Network(), mapping)
        )
    assert caught.value.code == "PRT507"


def test_a_rule_without_effect_is_a_finding(folder: Path, mapping: Mapping) -> None:
    text = "[[rule]]\nrename = 'laye'\nto = 'x'\n[[rule]]\ndrop = 'weight'\n"
    path = save({"layer.weight": torch.ones(3, 2), "layer.bias": torch.ones(3)}, folder / "m.pt")
    cell = nn.CellDict({"layer": nn.Dense(2, 3)})
    with pytest.raises(WeightsError) as caught:
        convert(path, folder / "out.ckpt", cell, mapping, rules(folder, text))
    assert [(item.code, item.message) for item in caught.value.findings] == [
        ("PRT510", "the rule rename 'laye' matches no tensor"),
        ("PRT510", "the rule drop 'weight' matches no tensor"),
    ]


def test_a_rename_takes_whole_parts_of_a_name_only(folder: Path, mapping: Mapping) -> None:
    text = "[[rule]]\nrename = 'a|a.b'\nto = 'c'\n"
    tensors = {"a.b.x": torch.ones(1), "ab.a": torch.ones(1), "b.ba": torch.ones(1)}
    path = save(tensors, folder / "m.pt")
    conversion = Conversion(path, folder / "o.ckpt", rules(folder, text), Settings(dry_run=True))
    report = conversion.infer()
    assert [tensor.target for tensor in report.tensors] == ["c.b.x", "ab.c", "b.ba"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[[rule]]\nrename = 'a'\nto = 'b'\n", "a and b both become b"),
        ("[[rule]]\nfuse = ['a', 'b', 'd']\nto = 'x'\n", "x lacks its part 3"),
        ("[[rule]]\nfuse = ['[ab]', 'c']\nto = 'x'\n", "both a and b are its part 1"),
        ("[[rule]]\nrename = '('\nto = 'b'\n", "has no regular expression"),
        ("[[rule]]\nrename = 'a'\nto = '\\1'\n", "makes no name of"),
        ("[[rule]]\nrename = 'a'\n", "needs a text as 'to'"),
        ("[[rule]]\nrename = 'a'\nto = 'b'\nby = 'c'\n", "has an unknown field 'by'"),
        ("[[rule]]\nrename = 'a'\ndrop = 'b'\n", "says not one of rename, split"),
        ("[[rule]]\nsplit = 'a'\nto = ['b']\n", "needs a list of texts as 'to'"),
        ("[[rule]]\nsplit = 'a'\nto = ['b', 'c']\nsizes = [1]\n", "as many sizes as names"),
        ("[[rule]]\nsplit = 'a'\nto = ['b', 'c']\nsizes = [1, 0]\n", "whole numbers above 0"),
        ("[[rule]]\nsplit = 'a'\nto = ['b', 'c']\naxis = -1\n", "a whole number from 0 on"),
        ("[[rule]]\ntransform = 'a'\nby = 'turn'\n", "unknown weight transform"),
        ("rule = 3\n", "a rules file is a list of"),
        ("other = 3\n", "a rules file is a list of"),
        ("[[rule]\n", "not TOML"),
    ],
)
def test_rules_that_cannot_be_are_refused(folder: Path, text: str, reason: str) -> None:
    path = save({name: torch.ones(2) for name in "abc"}, folder / "m.pt")
    with pytest.raises(PorterError) as caught:
        Conversion(path, folder / "out.ckpt", rules(folder, text), Settings()).infer()
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (folder / "out.ckpt").exists()


class Attention(nn.Cell):
    """Hold torch's fused projection as three Parameters, and its output apart."""

    def __init__(self) -> None:
        super().__init__()
        self.q, self.k, self.v = (ms.Parameter(ms.Tensor(np.zeros((4, 4), np.float32)))
                                  for _ in range(3))  # fmt: skip
        self.out = nn.Dense(4, 4)


class Fused(nn.Cell):
    """Hold as one Parameter what torch holds as three, with the gates in another order."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = ms.Parameter(ms.Tensor(np.zeros((12, 4), np.float32)))
        self.gates = ms.Parameter(ms.Tensor(np.zeros((8, 3), np.float32)))


def named(cell: Any) -> Any:
    """Give the Parameters the names that a Cell's attributes would give them."""
    for name, parameter in cell._params.items():
        parameter.name = name
    return cell


def test_a_table_divides_what_torch_has_fused(folder: Path) -> None:
    rule = entry(
        "torch.nn.MultiheadAttention",
        f"{Attention.__module__}.Attention",
        None,
        {"in_proj_weight": "split:0:q,k,v"},
    )
    tensors = {
        "in_proj_weight": torch.randn(12, 4),
        "out.weight": torch.randn(4, 4),
        "out.bias": torch.randn(4),
    }
    there_and_back(folder, tensors, lambda: named(Attention()), table(rule))
    loaded = ms.load_checkpoint(str(folder / "out.ckpt"))
    assert np.array_equal(loaded["k"].asnumpy(), tensors["in_proj_weight"][4:8].numpy())


def test_a_table_fuses_and_reorders(folder: Path) -> None:
    rule = entry(
        "torch.nn.Bilinear",
        f"{Fused.__module__}.Fused",
        {"w_ih": "gates"},
        {"q.weight,k.weight,v.weight": "fuse:0:qkv", "w_ih": "reorder:0,2,1,3"},
    )
    tensors = {f"{name}.weight": torch.randn(4, 4) for name in "qkv"} | {"w_ih": torch.randn(8, 3)}
    there_and_back(folder, tensors, lambda: named(Fused()), table(rule))
    loaded = ms.load_checkpoint(str(folder / "out.ckpt"))
    joined = torch.cat([tensors[f"{name}.weight"] for name in "qkv"])
    assert np.array_equal(loaded["qkv"].asnumpy(), joined.numpy())
    assert np.array_equal(loaded["gates"].asnumpy()[2:4], tensors["w_ih"][4:6].numpy())


def there_and_back(folder: Path, tensors: dict[str, Any], make: Any, mapping: Mapping) -> None:
    path = save(tensors, folder / "m.pt")
    convert(path, folder / "out.ckpt", make(), mapping, Selection())
    load(folder / "out.ckpt", make())
    restored = Restoration(
        folder / "out.ckpt", folder / "back.safetensors", Selection(), Settings()
    )
    restored.run(map_names(make(), mapping))
    back = load_file(folder / "back.safetensors")
    assert set(back) == set(tensors)
    assert all(torch.equal(back[name], value) for name, value in tensors.items())


@pytest.mark.parametrize(
    "transforms",
    [{"a": "split:x:b,c"}, {"a": "split:0:b"}, {"a,b": "fuse:0:c,d"}, {"a": "fuse:0:b"}],
)
def test_a_table_that_divides_nothing_is_refused(transforms: dict[str, str]) -> None:
    rule = entry("torch.nn.Bilinear", "mindspore.nn.BiDense", None, transforms)
    with pytest.raises(PorterError, match="has the transform") as caught:
        map_names(nn.BiDense(2, 2, 2), table(rule))
    assert caught.value.code == "PRT901"


@settings(deadline=None, max_examples=25, suppress_health_check=list(HealthCheck))
@given(
    heads=st.integers(1, 3),
    sizes=st.lists(st.integers(1, 3), min_size=2, max_size=3),
    width=st.integers(1, 3),
    seed=st.integers(0, 1000),
)
def test_random_recipes_come_back_bit_by_bit(
    folder: Path, heads: int, sizes: list[int], width: int, seed: int
) -> None:
    text = (
        f"[[rule]]\nsplit = 'qkv'\nto = {[f'p{i}' for i in range(len(sizes))]}\n"
        f"sizes = {sizes}\ngroups = {heads}\n"
        "[[rule]]\nfuse = ['p0', 'p1']\nto = 'joined'\n"
        "[[rule]]\ntransform = 'joined'\nby = 'permute:1,0'\n"
    )
    random = np.random.default_rng(seed)
    raw = random.integers(0, 256, (heads * sum(sizes), width * 4), np.uint8).view(np.float32)
    path = save({"qkv": torch.from_numpy(raw)}, folder / "m.safetensors")
    selection = rules(folder, text)
    conversion = Conversion(path, folder / "o.safetensors", selection, Settings(manifest=True))
    names = {tensor.target for tensor in conversion.infer().tensors}
    assert names == {"joined", *(["p2"] if len(sizes) == 3 else [])}
    cell = nn.CellDict({})
    for name in names:
        value = ms.load_checkpoint(str(folder / "o.safetensors"), format="safetensors")[name]
        cell.insert_param_to_cell(name, ms.Parameter(value, name=name))
    back = Restoration(folder / "o.safetensors", folder / "b.safetensors", selection, Settings())
    back.run(map_names(cell, table()))
    found = load_file(folder / "b.safetensors")["qkv"].numpy()
    assert found.tobytes() == raw.tobytes()


def test_the_manifest_holds_the_rules(folder: Path, mapping: Mapping) -> None:
    path = save(state(), folder / "m.bin")
    convert(path, folder / "out.ckpt", Network(), mapping, rules(folder))
    manifest = json.loads((folder / "out.ckpt.porter-weights.json").read_text())
    assert len(manifest["options"]["rules"]) == 6
    assert manifest["options"]["rules"][0]["rename"] == ["transformer"]
    assert manifest["options"]["rules"][0]["to"] == ["model"]
    rows = {row["target"]: row for row in manifest["tensors"]}
    assert rows["model.layers.0.k.weight"]["sources"] == ["transformer.block0.c_attn.weight"]
    assert rows["model.layers.0.k.weight"]["transform"] == "permute:1,0, part 2/3 of axis 0"
