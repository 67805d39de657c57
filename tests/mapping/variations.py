"""Vary the samples of an entry by Hypothesis: shapes, dtypes, dims, flags and spellings.

PyTorch says which variations mean something: one that it refuses is left out.
"""

from __future__ import annotations

import ast
import copy
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from porter.mapping.schema import Entry, Sample
from porter.parity.cells import constructor_of, expression_of, spellings
from porter.parity.sample_arrays import inputs_of
from porter.parity.samples import DTYPES, ArraySpec, Case, ParsedCall, cases_of

SHORT = {name: short for short, name in DTYPES.items()}
LARGEST = 4000
"""Results with more elements only take time."""


def varied_samples(entry: Entry, count: int) -> list[Sample]:
    """Return at most `count` variations of an entry's samples, the same ones in every run.

    Of those that Hypothesis finds, the ones that differ from their sample in the most ways.
    """
    cases = list(cases_of(entry))
    if not cases or entry.kind not in ("function", "method", "module"):
        return []
    found: dict[Sample, int] = {}

    @settings(
        max_examples=8 * count,
        phases=[Phase.generate],
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def collect(data: st.DataObject) -> None:
        case = data.draw(st.sampled_from(cases))
        varied = _vary(data, case) if case.init is None else _vary_module(data, case, case.init)
        init = None if varied.init is None else text_of(varied.init)
        sample = Sample(text_of(varied.call), init)
        if sample not in found and accepted(varied):
            found[sample] = _distance(case, varied)

    collect()
    return sorted(found, key=lambda sample: -found[sample])[:count]


def _distance(case: Case, varied: Case) -> int:
    """Return in how many ways a call differs from another: arrays, literals, spelling."""
    arrays = zip(case.call.arrays, varied.call.arrays, strict=True)
    shapes = sum(old.shape != new.shape for (_, old), (_, new) in arrays)
    dtypes = {spec.dtype for _, spec in case.call.arrays} ^ {s.dtype for _, s in varied.call.arrays}
    literals = _literals(case.call.call) != _literals(varied.call.call)
    if case.init is not None and varied.init is not None:
        literals = literals or _literals(case.init.call) != _literals(varied.init.call)
    return bool(shapes) + bool(dtypes) + 2 * literals + bool(varied.spelling)


def _literals(call: ast.Call) -> list[str]:
    return sorted(repr(node.value) for node in ast.walk(call) if isinstance(node, ast.Constant))


def _vary(data: st.DataObject, case: Case) -> Case:
    """Return another call of the same function: each part is left as it is in half of the cases."""
    call = case.call
    if data.draw(st.booleans()):
        call = _with_sizes(data, call)
    if data.draw(st.booleans()):
        call = _with_dtypes(data, call)
    if data.draw(st.booleans()):
        call = _with_leading_axis(call)
    if data.draw(st.booleans()):
        call = _with_literals(data, call)
    shorter: bool = data.draw(st.booleans())
    if call.call.keywords and shorter:
        left = data.draw(st.integers(0, len(call.call.keywords) - 1))
        kept = [word for place, word in enumerate(call.call.keywords) if place != left]
        call = replace(call, call=ast.Call(call.call.func, call.call.args, kept))
    changed = replace(case, call=call)
    others = list(spellings(changed))
    return data.draw(st.sampled_from([changed, *others]))


def _vary_module(data: st.DataObject, case: Case, init: ParsedCall) -> Case:
    """Return another module of the same class, and another call of it."""
    call = case.call
    if data.draw(st.booleans()):
        other = {size: data.draw(st.integers(1, 5)) for size in _sizes(call)}
        call = _with_specs(call, lambda spec: _resized(spec, other))
        init = _with_constants(init, lambda value: other.get(value, value))
    if data.draw(st.booleans()):
        call = _with_leading_axis(call)
    elif data.draw(st.booleans()):
        call = _with_specs(call, lambda spec: replace(spec, shape=spec.shape[1:]))
    if data.draw(st.booleans()):
        init = _with_one_literal(data, init)
    changed = replace(case, call=call, init=init)
    return data.draw(st.sampled_from([changed, *spellings(changed)]))


def _sizes(call: ParsedCall) -> list[int]:
    return sorted({size for _, spec in call.arrays for size in spec.shape})


def _resized(spec: ArraySpec, other: dict[int, int]) -> ArraySpec:
    return replace(spec, shape=tuple(other[size] for size in spec.shape))


def _with_constants(call: ParsedCall, change: Callable[[int], int]) -> ParsedCall:
    """Change the whole numbers of a call, flags excepted."""
    tree = copy.deepcopy(call.call)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            node.value = change(node.value)
    return replace(call, call=tree)


def _with_one_literal(data: st.DataObject, call: ParsedCall) -> ParsedCall:
    """Change one flag or whole number of a module: several at once mean nothing most often."""
    tree = copy.deepcopy(call.call)
    literals = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, int)
    ]
    if literals:
        node = data.draw(st.sampled_from(literals))
        assert isinstance(node.value, int)
        flag = isinstance(node.value, bool)
        node.value = not node.value if flag else data.draw(st.integers(0, node.value + 2))
    return replace(call, call=tree)


def _with_sizes(data: st.DataObject, call: ParsedCall) -> ParsedCall:
    """Give each size another one, the same wherever it stands: what must agree still does."""
    other = {size: data.draw(st.integers(1, 5)) for size in _sizes(call)}
    return _with_specs(call, lambda spec: _resized(spec, other))


def _with_dtypes(data: st.DataObject, call: ParsedCall) -> ParsedCall:
    dtypes = sorted({spec.dtype for _, spec in call.arrays})
    # Not float16: its noise is that of the samples, which have it where it matters.
    choice = st.sampled_from(["float32", "float64", "int64", "int32", "bool"])
    other = {dtype: data.draw(choice) for dtype in dtypes}

    def changed(spec: ArraySpec) -> ArraySpec:
        if spec.values is not None or spec.low is not None:
            return spec
        return replace(spec, dtype=other[spec.dtype])

    return _with_specs(call, changed)


def _with_leading_axis(call: ParsedCall) -> ParsedCall:
    first = next((name for name, spec in call.arrays if spec.values is None), None)
    arrays = tuple(
        (name, replace(spec, shape=(2, *spec.shape)) if name == first else spec)
        for name, spec in call.arrays
    )
    return replace(call, arrays=arrays)


def _with_specs(call: ParsedCall, change: Callable[[ArraySpec], ArraySpec]) -> ParsedCall:
    return replace(call, arrays=tuple((name, change(spec)) for name, spec in call.arrays))


def _with_literals(data: st.DataObject, call: ParsedCall) -> ParsedCall:
    """Change the literals of a call: whole numbers near their value, flags, in any nesting."""
    tree = copy.deepcopy(call.call)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            node.value = data.draw(st.booleans())
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            # -1 is the negation of 1, and -(-1) is 1.
            node.value = data.draw(st.integers(-3, 3))
    # A negative number is a Constant no longer once it is written.
    written = ast.parse(ast.unparse(tree), mode="eval").body
    assert isinstance(written, ast.Call)
    return replace(call, call=written)


def accepted(case: Case) -> bool:
    """Tell whether PyTorch computes a call, and gives numbers that can be compared."""
    names: dict[str, Any] = {"torch": torch, "np": np, "inf": float("inf")}
    names.update(_tensors(case, case.call))
    torch.manual_seed(0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if case.init is not None:
                given = names | _tensors(case, case.init)
                layer = eval(constructor_of(case, case.init), given)  # noqa: S307 - as below
                names["self"] = SimpleNamespace(layer=layer.eval())
            result = eval(expression_of(case), names)  # noqa: S307 - the text is ours
    except Exception:  # noqa: BLE001 - whatever PyTorch raises, the call means nothing
        return False
    leaves = result if isinstance(result, tuple | list) else [result]
    return all(_comparable(leaf) for leaf in leaves) and bool(leaves)


def _tensors(case: Case, call: ParsedCall) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(value) for name, value in inputs_of(case, call).items()}


def _comparable(leaf: Any) -> bool:
    if not isinstance(leaf, torch.Tensor):
        return isinstance(leaf, bool | int | float | str)
    return 0 < leaf.numel() <= LARGEST


def text_of(call: ParsedCall) -> str:
    """Return the text of a sample: its arrays as they are written in the tables."""
    texts = {name: _array(spec) for name, spec in call.arrays}
    tree = ast.Call(call.call.func, call.call.args, call.call.keywords)
    names = _Names(texts).visit(copy.deepcopy(tree))
    given = [ast.unparse(argument) for argument in names.args]
    given += [f"{keyword.arg}={ast.unparse(keyword.value)}" for keyword in names.keywords]
    return ", ".join(given)


class _Names(ast.NodeTransformer):
    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    def visit_Name(self, node: ast.Name) -> ast.AST:
        text = self.texts.get(node.id)
        return node if text is None else ast.parse(text, mode="eval").body


def _array(spec: ArraySpec) -> str:
    short = SHORT[spec.dtype]
    if spec.values is not None:
        return f"{short}({spec.values!r})"
    parts: Sequence[str] = [str(size) for size in spec.shape] or ["()"]
    if spec.low is not None:
        parts = [*parts, f"{spec.low}:{spec.high}"]
    return f"{short}[{', '.join(parts)}]"
