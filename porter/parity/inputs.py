"""Make the inputs of a case once, with NumPy, so that both frameworks get the same bytes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from porter.parity.fields import Fields, bad_value
from porter.weights.dtypes import Array

DTYPES = ("float32", "float64", "float16", "int64", "int32", "bool", "uint8", "int8", "int16")
_KINDS = (
    "ids",
    "randn",
    "rand",
    "mask",
    "additive_mask",
    "ones",
    "zeros",
    "arange",
    "tensor",
    "value",
    "list",
    "dict",
)
_EXTRAS: dict[str, tuple[str, ...]] = {
    "ids": ("low", "high"),
    "randn": ("scale",),
    "mask": ("dtype",),
    "ones": ("dtype",),
    "zeros": ("dtype",),
    "arange": ("shape",),
    "tensor": ("dtype",),
}


def check_input(spec: object, where: str) -> None:
    """Raise PRT702 or PRT703 where `spec` does not describe an input."""
    fields = Fields(spec, where)
    present = [kind for kind in _KINDS if kind in fields.data]
    if len(present) != 1:
        bad_value(where, "must hold exactly one kind of input", hint=f"kinds: {', '.join(_KINDS)}")
    kind = present[0]
    body = fields.take(kind)
    for extra in _EXTRAS.get(kind, ()):
        fields.take(extra)
    fields.finish()
    if kind in ("ids", "randn", "rand", "mask", "additive_mask", "ones", "zeros"):
        _check_shape(body, fields.path(kind))
    if kind in ("mask", "additive_mask") and len(body) != 2:
        bad_value(fields.path(kind), f"must have two dimensions, not {len(body)}")
    if kind == "ids" and fields.data.get("high", -1) <= fields.data.get("low", 0):
        bad_value(fields.path("high"), "must be there and larger than low")
    if kind == "arange":
        if not isinstance(body, int) or body < 1:
            bad_value(fields.path(kind), f"must be a positive integer, not {body!r}")
        shape = fields.data.get("shape", [body])
        _check_shape(shape, fields.path("shape"))
        if int(np.prod(shape)) != body:
            bad_value(fields.path("shape"), f"must hold {body} elements, not {shape}")
    if fields.data.get("dtype", "float32") not in DTYPES:
        bad_value(fields.path("dtype"), f"must be one of {', '.join(DTYPES)}")
    if kind == "list":
        if not isinstance(body, list):
            bad_value(fields.path(kind), f"must be a list of inputs, not {body!r}")
        for index, item in enumerate(body):
            check_input(item, f"{fields.path(kind)}[{index}]")
    if kind == "dict":
        for key, item in Fields(body, fields.path(kind)).data.items():
            check_input(item, f"{fields.path(kind)}.{key}")


def kind_of(spec: Mapping[str, Any]) -> str:
    """Return the key of `spec` that says how the input is made."""
    return next(kind for kind in _KINDS if kind in spec)


def _check_shape(shape: object, where: str) -> None:
    good = isinstance(shape, list) and all(type(size) is int and size > 0 for size in shape)
    if not good:
        bad_value(where, f"must be a list of positive sizes, not {shape!r}")


def make_inputs(specs: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Return the value of each input: a NumPy array, a Python value, or a list or dict of these.

    A stream of its own is drawn for each name, so that a change to one input leaves the others.
    """
    return {
        name: _make(spec, np.random.default_rng([seed, zlib.crc32(name.encode())]))
        for name, spec in specs.items()
    }


def _make(spec: Mapping[str, Any], random: np.random.Generator) -> Any:
    dtype = spec.get("dtype")
    if "ids" in spec:
        return random.integers(spec.get("low", 0), spec["high"], spec["ids"], dtype=np.int64)
    if "randn" in spec:
        values = random.standard_normal(spec["randn"], dtype=np.float32)
        return values * np.float32(spec.get("scale", 1.0))
    if "rand" in spec:
        return random.random(spec["rand"], dtype=np.float32)
    if "mask" in spec:
        return _padding_mask(spec["mask"]).astype(dtype or "int64")
    if "additive_mask" in spec:
        kept = _padding_mask(spec["additive_mask"])[:, None, None, :]
        return np.where(kept, np.float32(0.0), np.finfo(np.float32).min).astype(np.float32)
    if "ones" in spec:
        return np.ones(spec["ones"], dtype=dtype or "float32")
    if "zeros" in spec:
        return np.zeros(spec["zeros"], dtype=dtype or "float32")
    if "arange" in spec:
        return np.arange(spec["arange"], dtype=np.int64).reshape(spec.get("shape", -1))
    if "tensor" in spec:
        return np.array(spec["tensor"], dtype=dtype or "float32")
    if "list" in spec:
        return [_make(item, random) for item in spec["list"]]
    if "dict" in spec:
        return {key: _make(item, random) for key, item in spec["dict"].items()}
    return spec["value"]


def _padding_mask(shape: list[int]) -> Array:
    # Right padding of the last row only: a mask without a padded row hides a mask that is ignored,
    # one without a full row hides a mask that is applied to the wrong row.
    mask = np.ones(shape, dtype=bool)
    mask[-1, -max(1, shape[-1] // 4) :] = shape[-1] == 1
    return mask


def map_arrays(value: Any, function: Callable[[Array], Any]) -> Any:
    """Return `value` with `function` applied to each array in it; lists and dicts are kept."""
    if isinstance(value, np.ndarray):
        return function(value)
    if isinstance(value, list):
        return [map_arrays(item, function) for item in value]
    if isinstance(value, dict):
        return {key: map_arrays(item, function) for key, item in value.items()}
    return value


def save_inputs(path: Path, inputs: Mapping[str, Any]) -> None:
    """Write inputs to `path` (.npz) with their structure beside it (.json)."""
    arrays: list[Array] = []

    def store(array: Array) -> dict[str, int]:
        arrays.append(array)
        return {"$array": len(arrays) - 1}

    structure = map_arrays(dict(inputs), store)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, **{str(index): array for index, array in enumerate(arrays)})
    path.with_suffix(".json").write_text(json.dumps(structure))


def load_inputs(path: Path) -> dict[str, Any]:
    """Read inputs as `save_inputs` wrote them."""
    structure = json.loads(path.with_suffix(".json").read_text())
    with np.load(path) as arrays:

        def restore(value: Any) -> Any:
            if isinstance(value, dict):
                if "$array" in value:
                    return arrays[str(value["$array"])]
                return {key: restore(item) for key, item in value.items()}
            return [restore(item) for item in value] if isinstance(value, list) else value

        return dict(restore(structure))


def shape_of(spec: Mapping[str, Any]) -> list[int] | None:
    """Return the shape of the tensor that `spec` makes, None where it makes no single tensor."""
    for kind in ("ids", "randn", "rand", "mask", "ones", "zeros"):
        if kind in spec:
            return list(spec[kind])
    if "additive_mask" in spec:
        rows, columns = spec["additive_mask"]
        return [rows, 1, 1, columns]
    if "arange" in spec:
        return list(spec.get("shape", [spec["arange"]]))
    return list(np.shape(spec["tensor"])) if "tensor" in spec else None


def with_rows(spec: Mapping[str, Any], rows: int) -> dict[str, Any] | None:
    """Return `spec` with another size of dimension 0, None where it cannot be resized."""
    for kind in ("ids", "randn", "rand", "mask", "additive_mask", "ones", "zeros"):
        if kind in spec:
            return {**spec, kind: [rows, *spec[kind][1:]]}
    return None
