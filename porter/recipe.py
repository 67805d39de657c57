"""Read a recipe: one port as data, with its source, construction, inputs, weights and checks."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.parity.fields import Fields, bad_value
from porter.parity.inputs import check_input, kind_of, shape_of, with_rows
from porter.parity.losses import Training, training_section
from porter.types import PorterError, Position
from porter.zoo.entry import entry_document, find_entry, read_zoo

MODES = ("graph", "pynative")
SYNTAXES = ("STRICT", "LAX")
SHAPES = ("static", "dynamic")
DTYPES = ("float32", "float16", "bfloat16")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class Source:
    """Where the PyTorch class is: an importable module, or a file, and the name of the class."""

    module: str | None
    file: Path | None
    class_name: str

    @property
    def reference(self) -> str:
        """The source as `porter port` takes it; `Class.method` makes an object of the class."""
        return f"{self.module or self.file}:{self.class_name.partition('.')[0]}"


@dataclass(frozen=True, slots=True)
class Build:
    """How an object of the class is made: from a configuration, or from arguments."""

    config_class: str | None
    config: dict[str, Any]
    args: list[Any]
    kwargs: dict[str, Any]
    attention: str


@dataclass(frozen=True, slots=True)
class Weights:
    """Which weights both sides get: a checkpoint, or seeded random values.

    Of a checkpoint, the names that start with `prefix` are taken, without it; `ignore` holds
    regular expressions for whole names, behind the prefix, to leave out.
    """

    seed: int
    checkpoint: Path | None
    prefix: str
    ignore: tuple[str, ...]
    scale: float
    keep_vectors: bool
    random_buffers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One set of inputs, in one or more shapes.

    `variants[0]` holds the inputs of the static run; the dynamic run goes through all of them.
    `optional_variants` tells that variants after the first were not asked for by the recipe.
    `dynamic` names, per tensor input, the dimensions that are None in `set_inputs`.
    `reference` holds, per variant, all inputs of the PyTorch side, where they may differ.
    """

    name: str
    positional: tuple[str, ...]
    variants: tuple[dict[str, Any], ...]
    reference: tuple[dict[str, Any], ...]
    dynamic: dict[str, tuple[int, ...]]
    optional_variants: bool


@dataclass(frozen=True, slots=True)
class Verify:
    """What is compared, in which modes, and how closely.

    An output holds where its error against PyTorch in float64 is at most `float64_factor` times
    PyTorch's own, see `porter.parity.yardstick`; where the recipe sets a tolerance, it holds where
    |port - torch| <= absolute_tolerance + relative_tolerance * |torch|. Gradients likewise; with
    `gradient_tolerance` the difference is at most that times the largest value of the gradient.
    With `training` the training mode is compared, and, beside gradients, one step of AdamW.
    `time_limit` is in seconds, for one run.
    """

    modes: tuple[str, ...]
    syntax: tuple[str, ...]
    shapes: tuple[str, ...]
    dtypes: tuple[str, ...]
    absolute_tolerance: float | None
    relative_tolerance: float | None
    float64_factor: float
    gradients: bool
    gradient_tolerance: float | None
    training: bool
    export: bool
    method: str
    ignore_outputs: tuple[str, ...]
    time_limit: float


@dataclass(frozen=True, slots=True)
class Recipe:
    """One port as data. `document` is the recipe as plain data, for the worker processes."""

    path: Path
    source: Source
    build: Build
    weights: Weights
    cases: tuple[Case, ...]
    verify: Verify
    training: Training | None
    document: dict[str, Any]

    @property
    def position(self) -> Position:
        """The place that findings about the recipe name."""
        return Position(str(self.path))


def load_recipe(text: str) -> Recipe:
    """Read the TOML file at the path `text`, or one entry, "models.json:ID", of a zoo file.

    Raises PorterError PRT701 where nothing readable is there, PRT702 for an unknown key and PRT703
    for a value that cannot be.
    """
    name, colon, entry = text.rpartition(":")
    if colon and name.endswith(".json"):
        path = Path(name)
        return parse_recipe(entry_document(find_entry(read_zoo(path), entry, path)), path)
    path = Path(text)
    try:
        document = tomllib.loads(_read(path))
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+), column (\d+)", str(error))
        line, column = (int(found[1]), int(found[2])) if found else (1, 1)
        position = Position(str(path), line, column)
        raise PorterError("PRT701", f"not TOML: {error}", position=position) from None
    return parse_recipe(document, path)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise PorterError(
            "PRT701", f"cannot read the recipe: {reason}", position=Position(str(path))
        ) from None


def parse_recipe(document: Mapping[str, Any], path: Path) -> Recipe:
    """Check plain data and return the recipe; files are relative to the folder of `path`.

    Raises PorterError PRT702 and PRT703 like `load_recipe`.
    """
    try:
        fields = Fields(document, "")
        recipe = Recipe(
            path=path,
            source=_source(Fields(fields.take("source", {}), "source"), path.parent),
            build=_build(Fields(fields.take("build", {}), "build")),
            weights=_weights(Fields(fields.take("weights", {}), "weights"), path.parent),
            cases=_cases(fields.items("cases")),
            verify=_verify(Fields(fields.take("verify", {}), "verify")),
            training=_training(fields.take("training")),
            document=dict(document),
        )
        fields.finish()
    except PorterError as error:
        if error.position is None:
            error.position = Position(str(path))
        raise
    return recipe


def _source(fields: Fields, folder: Path) -> Source:
    module, file = fields.text("module"), fields.text("file")
    if (module is None) == (file is None):
        bad_value(fields.where, "must have either module or file")
    source = Source(
        module, (folder / file).resolve() if file else None, fields.required_text("class")
    )
    fields.finish()
    if source.file is not None and not source.file.is_file():
        bad_value(fields.path("file"), f"there is no file {source.file}")
    return source


def _build(fields: Fields) -> Build:
    build = Build(
        config_class=fields.text("config_class"),
        config=fields.table("config"),
        args=fields.items("args"),
        kwargs=fields.table("kwargs"),
        attention=fields.text("attention", "eager") or "",
    )
    fields.finish()
    if build.config and build.config_class is None:
        bad_value(fields.path("config"), "needs config_class")
    if build.config_class is not None and ":" not in build.config_class:
        bad_value(fields.path("config_class"), 'must read "package.module:Class"')
    return build


def _weights(fields: Fields, folder: Path) -> Weights:
    checkpoint = fields.text("checkpoint")
    weights = Weights(
        seed=fields.integer("seed", 0),
        checkpoint=(folder / checkpoint).resolve() if checkpoint else None,
        prefix=fields.text("prefix", "") or "",
        ignore=fields.texts("ignore"),
        scale=fields.number("scale", 1.0),
        keep_vectors=fields.boolean("keep_vectors", False),
        random_buffers=fields.texts("random_buffers"),
    )
    fields.finish()
    if weights.checkpoint is not None and not weights.checkpoint.exists():
        bad_value(fields.path("checkpoint"), f"there is no file {weights.checkpoint}")
    if weights.checkpoint is None and (weights.prefix or weights.ignore):
        bad_value(fields.where, "prefix and ignore need a checkpoint")
    for pattern in weights.ignore:
        try:
            re.compile(pattern)
        except re.error as error:
            bad_value(fields.path("ignore"), f"{pattern!r} is no regular expression: {error}")
    return weights


def _training(table: Any) -> Training | None:
    return None if table is None else training_section(Fields(table, "training"))


def _cases(items: list[Any]) -> tuple[Case, ...]:
    if not items:
        bad_value("cases", "there must be at least one", hint="[[cases]] with inputs = { ... }")
    cases = tuple(
        _case(Fields(item, f"cases[{index}]"), f"case{index}") for index, item in enumerate(items)
    )
    names = [case.name for case in cases]
    for name in names:
        if names.count(name) > 1:
            bad_value("cases", f"two cases are called {name}")
    return cases


def _case(fields: Fields, default_name: str) -> Case:
    name = fields.text("name", default_name) or default_name
    if not _NAME.fullmatch(name):
        bad_value(fields.path("name"), f"may hold letters, digits, '_', '.' and '-', not {name!r}")
    inputs = fields.table("inputs")
    if not inputs:
        bad_value(fields.path("inputs"), "there must be at least one input")
    reference, dynamic = fields.table("reference"), fields.table("dynamic")
    positional, others = fields.texts("positional"), fields.items("other_shapes")
    fields.finish()
    for key, specs in (("inputs", inputs), ("reference", reference)):
        for input_name, spec in specs.items():
            check_input(spec, f"{fields.path(key)}.{input_name}")
    variants = [inputs]
    for index, other in enumerate(others):
        where = f"{fields.path('other_shapes')}[{index}]"
        table = dict(Fields(other, where).data)
        for input_name, spec in table.items():
            check_input(spec, f"{where}.{input_name}")
        _known(table, inputs, where)
        variants.append({**inputs, **table})
    if not others:
        variants.extend(_other_batch(inputs))
    for key, names in (("positional", positional), ("reference", reference), ("dynamic", dynamic)):
        _known(names, inputs, fields.path(key))
    return Case(
        name=name,
        positional=positional,
        variants=tuple(variants),
        reference=tuple(_torch_inputs(inputs, variant, reference) for variant in variants),
        dynamic=_dynamic(dynamic, variants, fields.path("dynamic")),
        optional_variants=not others,
    )


def _torch_inputs(
    inputs: Mapping[str, Any], variant: Mapping[str, Any], reference: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a variant with the inputs that the PyTorch side gets instead, in the same shape."""
    result = dict(variant)
    for name, spec in reference.items():
        kind, given = kind_of(spec), inputs[name]
        same = spec[kind] == given[kind_of(given)]
        result[name] = {**spec, kind: variant[name][kind_of(variant[name])]} if same else spec
    return result


def _known(names: Any, inputs: Mapping[str, Any], where: str) -> None:
    for name in names:
        if name not in inputs:
            bad_value(where, f"{name} is none of the inputs {', '.join(inputs)}")


def _other_batch(inputs: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the inputs with one row more, where dimension 0 of the first tensor is the batch."""
    shapes = {name: shape_of(spec) for name, spec in inputs.items()}
    rows = next((shape[0] for shape in shapes.values() if shape), None)
    if rows is None:
        return []
    larger = dict(inputs)
    for name, shape in shapes.items():
        if shape and shape[0] == rows:
            resized = with_rows(inputs[name], rows + 1)
            if resized is None:
                return []
            larger[name] = resized
    return [larger]


def _dynamic(
    given: Mapping[str, Any], variants: list[dict[str, Any]], where: str
) -> dict[str, tuple[int, ...]]:
    """Return the None dimensions: those given, else those in which the variants differ."""
    result = {}
    for name, spec in variants[0].items():
        base = shape_of(spec)
        if base is None:
            if name in given:
                bad_value(f"{where}.{name}", "the input is not a tensor")
            continue
        dimensions = given.get(name)
        if dimensions is None:
            others = [shape_of(variant[name]) for variant in variants[1:]]
            if any(other is None or len(other) != len(base) for other in others):
                bad_value(where, f"{name} has another number of dimensions in other_shapes")
            dimensions = [
                axis
                for axis, size in enumerate(base)
                if any(other is not None and other[axis] != size for other in others)
            ]
        elif not isinstance(dimensions, list) or not all(
            type(axis) is int and 0 <= axis < len(base) for axis in dimensions
        ):
            bad_value(f"{where}.{name}", f"must be dimensions of {base}, not {dimensions!r}")
        result[name] = tuple(dimensions)
    return result


def _verify(fields: Fields) -> Verify:
    verify = Verify(
        modes=fields.texts("modes", MODES, MODES),
        syntax=fields.texts("syntax", SYNTAXES, SYNTAXES),
        shapes=fields.texts("shapes", SHAPES, SHAPES),
        dtypes=fields.texts("dtypes", ("float32",), DTYPES),
        absolute_tolerance=fields.optional_number("absolute_tolerance"),
        relative_tolerance=fields.optional_number("relative_tolerance"),
        float64_factor=fields.number("float64_factor", 4.0),
        gradients=fields.boolean("gradients", True),
        gradient_tolerance=fields.optional_number("gradient_tolerance"),
        training=fields.boolean("training", True),
        export=fields.boolean("export", True),
        method=fields.text("method", "__call__") or "__call__",
        ignore_outputs=fields.texts("ignore_outputs"),
        time_limit=fields.number("time_limit", 600.0),
    )
    fields.finish()
    for key in ("modes", "syntax", "shapes", "dtypes"):
        if not getattr(verify, key):
            bad_value(fields.path(key), "must not be empty")
    return verify
