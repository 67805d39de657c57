"""Read recipes that are right, and refuse those that are not with the place and the reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from porter.build import build_model, decode, resolve, set_attention
from porter.parity.inputs import load_inputs, make_inputs, save_inputs
from porter.recipe import Build, Recipe, load_recipe, parse_recipe
from porter.types import PorterError

FULL = """
[source]
module = "package.model"
class = "Model"
[build]
config_class = "package:Config"
config = { hidden_size = 8 }
[weights]
seed = 3
[[cases]]
name = "masked"
positional = ["x"]
inputs = { x = { randn = [2, 5, 8], scale = 2.0 }, mask = { mask = [2, 5] }, n = { value = 4 } }
reference = { mask = { additive_mask = [2, 5] } }
other_shapes = [{ x = { randn = [3, 7, 8] }, mask = { mask = [3, 7] } }]
[verify]
modes = ["graph"]
"""


def minimal(**changes: Any) -> dict[str, Any]:
    return {
        "source": {"module": "package.model", "class": "Model"},
        "cases": [{"inputs": {"x": {"randn": [2, 3]}}}],
        **changes,
    }


def parse(**changes: Any) -> Recipe:
    return parse_recipe(minimal(**changes), Path("recipe.toml"))


def test_a_whole_recipe_is_read(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(FULL)
    recipe = load_recipe(str(path))
    assert recipe.source.reference == "package.model:Model"
    assert recipe.build.config == {"hidden_size": 8}
    assert (recipe.build.attention, recipe.weights.seed) == ("eager", 3)
    assert recipe.verify.modes == ("graph",)
    (case,) = recipe.cases
    assert case.dynamic == {"x": (0, 1), "mask": (0, 1)}
    assert len(case.variants) == 2
    assert case.variants[1]["n"] == {"value": 4}
    assert case.reference[0]["mask"] == {"additive_mask": [2, 5]}
    assert case.reference[1]["mask"] == {"additive_mask": [3, 7]}
    assert not case.optional_variants


def test_one_more_row_is_the_default_second_shape() -> None:
    inputs = {"x": {"randn": [2, 3]}, "y": {"ids": [2, 4], "high": 9}, "z": {"ones": [5]}}
    (case,) = parse(cases=[{"inputs": inputs}]).cases
    assert case.optional_variants
    assert case.variants[1]["x"] == {"randn": [3, 3]}
    assert case.variants[1]["y"] == {"ids": [3, 4], "high": 9}
    assert case.variants[1]["z"] == {"ones": [5]}
    assert case.dynamic == {"x": (0,), "y": (0,), "z": ()}


@pytest.mark.parametrize(
    ("changes", "code", "message"),
    [
        ({"verfy": {}}, "PRT702", "verfy: there is no such key (did you mean verify?)"),
        ({"verify": {"mode": ["graph"]}}, "PRT702", "verify.mode: there is no such key"),
        ({"verify": {"modes": ["eager"]}}, "PRT703", "verify.modes: may hold graph, pynative"),
        ({"verify": {"modes": []}}, "PRT703", "verify.modes: must not be empty"),
        ({"verify": {"absolute_tolerance": -1.0}}, "PRT703", "verify.absolute_tolerance"),
        ({"verify": {"gradients": "yes"}}, "PRT703", "must be true or false, not 'yes'"),
        ({"source": {"class": "Model"}}, "PRT703", "source: must have either module or file"),
        ({"source": {"module": "m"}}, "PRT703", "source.class: is missing"),
        ({"source": {"file": "no.py", "class": "M"}}, "PRT703", "source.file: there is no file"),
        ({"build": {"config": {"a": 1}}}, "PRT703", "build.config: needs config_class"),
        ({"build": {"config_class": "Config"}}, "PRT703", "build.config_class: must read"),
        ({"weights": {"checkpoint": "no.bin"}}, "PRT703", "weights.checkpoint: there is no file"),
        (
            {"weights": {"prefix": "model."}},
            "PRT703",
            "weights: prefix and ignore need a checkpoint",
        ),
        ({"weights": {"checkpoint": ".", "ignore": ["("]}}, "PRT703", "is no regular expression"),
        ({"weights": {"seed": True}}, "PRT703", "weights.seed: must be an integer"),
        ({"cases": []}, "PRT703", "cases: there must be at least one"),
        ({"cases": [{"inputs": {}}]}, "PRT703", "cases[0].inputs: there must be at least one"),
        ({"cases": [3]}, "PRT703", "cases[0]: must be a table, not 3"),
    ],
)
def test_a_wrong_recipe_is_refused(changes: dict[str, Any], code: str, message: str) -> None:
    with pytest.raises(PorterError) as error:
        parse(**changes)
    assert error.value.code == code
    assert str(error.value).startswith("recipe.toml:1:1: ")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("spec", "code", "message"),
    [
        ({"randm": [2]}, "PRT703", "must hold exactly one kind of input"),
        ({"randn": [2], "ones": [2]}, "PRT703", "must hold exactly one kind of input"),
        ({"randn": [2], "scal": 2}, "PRT702", "x.scal: there is no such key (did you mean scale?)"),
        ({"randn": [0]}, "PRT703", "x.randn: must be a list of positive sizes, not [0]"),
        ({"ids": [2]}, "PRT703", "x.high: must be there"),
        ({"ids": [2], "low": 5, "high": 5}, "PRT703", "x.high: must be there and larger than low"),
        ({"mask": [2]}, "PRT703", "x.mask: must have two dimensions, not 1"),
        ({"ones": [2], "dtype": "float8"}, "PRT703", "x.dtype: must be one of"),
        ({"arange": 6, "shape": [2, 2]}, "PRT703", "x.shape: must hold 6 elements"),
        ({"list": [{"no": 1}]}, "PRT703", "x.list[0]: must hold exactly one kind of input"),
    ],
)
def test_a_wrong_input_is_refused(spec: dict[str, Any], code: str, message: str) -> None:
    with pytest.raises(PorterError) as error:
        parse(cases=[{"inputs": {"x": spec}}])
    assert error.value.code == code
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ({"positional": ["y"]}, "cases[0].positional: y is none of the inputs x"),
        ({"dynamic": {"x": [2]}}, "cases[0].dynamic.x: must be dimensions of [2, 3]"),
        ({"other_shapes": [{"y": {"ones": [2]}}]}, "cases[0].other_shapes[0]: y is none"),
        ({"other_shapes": [{"x": {"ones": [2]}}]}, "x has another number of dimensions"),
        ({"name": "a/b"}, "cases[0].name: may hold letters"),
    ],
)
def test_a_wrong_case_is_refused(case: dict[str, Any], message: str) -> None:
    with pytest.raises(PorterError) as error:
        parse(cases=[{"inputs": {"x": {"randn": [2, 3]}}, **case}])
    assert error.value.code == "PRT703"
    assert message in str(error.value)


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PorterError, match="No such file") as error:
        load_recipe(str(tmp_path / "no.toml"))
    assert error.value.code == "PRT701"
    broken = tmp_path / "broken.toml"
    broken.write_text("[source]\nmodule = \n")
    with pytest.raises(PorterError, match="PRT701 not TOML") as error:
        load_recipe(str(broken))
    assert error.value.position is not None
    assert error.value.position.line == 2


def test_an_entry_of_a_zoo_is_a_recipe(tmp_path: Path) -> None:
    entry = {
        "id": "one",
        "module": "package.model",
        "cls": "Model",
        "how": "hf",
        "config_cls": "Config",
        "config": {"hidden_size": 8},
        "inputs": {"x": {"ids": [2, 3], "high": 9}},
        "wscale": 1.5,
    }
    path = tmp_path / "zoo.json"
    path.write_text(json.dumps([entry]))
    recipe = load_recipe(f"{path}:one")
    assert recipe.build.config_class == "transformers:Config"
    assert recipe.weights.scale == 1.5
    assert recipe.cases[0].variants[0] == entry["inputs"]
    with pytest.raises(PorterError, match="no entry three"):
        load_recipe(f"{path}:three")


def test_inputs_are_seeded_by_name_and_keep_their_kinds(tmp_path: Path) -> None:
    specs: dict[str, Any] = {
        "a": {"randn": [2, 3], "scale": 0.0},
        "b": {"ids": [4, 5], "low": 3, "high": 5},
        "c": {"mask": [2, 8]},
        "d": {"additive_mask": [2, 8]},
        "e": {"arange": 6, "shape": [2, 3]},
        "f": {"tensor": [1, 0], "dtype": "bool"},
        "g": {"list": [{"rand": [2]}, {"value": None}]},
        "h": {"dict": {"k": {"zeros": [1], "dtype": "int32"}}},
    }
    made = make_inputs(specs, 1)
    assert not made["a"].any()
    assert set(made["b"].ravel()) == {3, 4}
    assert made["c"].tolist() == [[1] * 8, [1] * 6 + [0] * 2]
    assert made["c"].dtype == np.int64
    assert made["d"].shape == (2, 1, 1, 8)
    assert made["d"][1, 0, 0, -1] == np.finfo(np.float32).min
    assert made["e"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert made["f"].dtype == np.bool_
    assert made["g"][1] is None
    assert made["h"]["k"].dtype == np.int32
    again = make_inputs({"b": specs["b"]}, 1)
    assert np.array_equal(again["b"], made["b"])
    save_inputs(tmp_path / "inputs.npz", made)
    loaded = load_inputs(tmp_path / "inputs.npz")
    assert loaded.keys() == made.keys()
    assert np.array_equal(loaded["g"][0], made["g"][0])


class Config:
    """A configuration with one inside it, as those of transformers are."""

    def __init__(self, size: int, inner: Config | None = None) -> None:
        self.size = size
        self.inner = inner
        self._attn_implementation = "sdpa"

    def to_dict(self) -> dict[str, Any]:
        return {}


class Model:
    """A class that a recipe can build."""

    def __init__(self, config: Config, factor: Any, *, extra: Any = None) -> None:
        self.config, self.factor, self.extra = config, factor, extra


def test_references_become_objects() -> None:
    assert decode({"$ref": "math:pi"}, resolve) == pytest.approx(3.14159, abs=1e-5)
    assert decode([{"$new": "fractions:Fraction", "args": [1, 2]}], resolve)[0] * 2 == 1
    rounded = decode({"$partial": "builtins:round", "kwargs": {"ndigits": 1}}, resolve)
    assert rounded(1.26) == 1.3


def test_a_model_is_built_with_its_attention_chosen() -> None:
    known: dict[str, Any] = {"package:Config": Config, "package:inner": Config(2)}
    build = Build(
        config_class="package:Config",
        config={"size": 1, "inner": {"$ref": "package:inner"}},
        args=[2],
        kwargs={"extra": "x"},
        attention="eager",
    )
    model = build_model(Model, build, lambda reference: known[reference])
    assert (model.config.size, model.factor, model.extra) == (1, 2, "x")
    assert model.config._attn_implementation == "eager"
    assert model.config.inner._attn_implementation == "eager"
    set_attention(model.config, "sdpa")
    assert model.config.inner._attn_implementation == "sdpa"


@pytest.mark.parametrize(
    ("reference", "code", "message"),
    [
        ("no_such_package.module:Name", "PRT705", "no_such_package.module: ModuleNotFound"),
        ("math:no_such_name", "PRT704", "math has no no_such_name"),
        ("math", "PRT704", 'must read "package.module:Name"'),
    ],
)
def test_what_is_not_there_cannot_be_built(reference: str, code: str, message: str) -> None:
    with pytest.raises(PorterError) as error:
        resolve(reference)
    assert error.value.code == code
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_constructor_that_fails_is_one_line() -> None:
    build = Build(None, {}, ["x"], {}, "eager")
    with pytest.raises(PorterError) as error:
        build_model(Model, build, resolve)
    assert error.value.code == "PRT704"
    assert "cannot build Model: TypeError" in str(error.value)
