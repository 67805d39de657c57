"""Port nested expressions built at random and compute both: order and precedence must hold."""

from __future__ import annotations

import ast
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from porter.mapping.load import Mapping, load_mappings
from porter.port import port_program
from porter.source.read import Source, SourceModule
from tests.support_cases import body_of, main_file

HEAD = "import torch\nimport torch.nn.functional as F\n\n\n"
SIGNATURE = "def f(x: torch.Tensor, y: torch.Tensor, n: int):\n"


class Term:
    """A stand-in for a tensor: it writes down what was done to it, operands in order."""

    def __init__(self, text: str) -> None:
        self.text = text

    def _binary(self, word: str, other: Any, swapped: bool = False) -> Term:
        left, right = (other, self) if swapped else (self, other)
        return Term(f"{word}({written(left)}, {written(right)})")

    def __add__(self, other: Any) -> Term:
        return self._binary("add", other)

    def __radd__(self, other: Any) -> Term:
        return self._binary("add", other, True)

    def __sub__(self, other: Any) -> Term:
        return self._binary("sub", other)

    def __rsub__(self, other: Any) -> Term:
        return self._binary("sub", other, True)

    def __mul__(self, other: Any) -> Term:
        return self._binary("mul", other)

    def __rmul__(self, other: Any) -> Term:
        return self._binary("mul", other, True)

    def __matmul__(self, other: Any) -> Term:
        return self._binary("matmul", other)

    def __pow__(self, other: Any) -> Term:
        return self._binary("pow", other)

    def __neg__(self) -> Term:
        return Term(f"neg({self.text})")

    def __getitem__(self, index: Any) -> Term:
        return Term(f"item({self.text}, {index!r})")

    def swapaxes(self, first: int, second: int) -> Term:
        return Term(f"transpose({self.text}, {first}, {second})")

    transpose = swapaxes

    @property
    def shape(self) -> _Shape:
        return _Shape(self.text)

    def size(self, axis: int) -> int:
        return self.shape[axis]

    @property
    def ndim(self) -> int:
        return len(self.text) % 5

    def dim(self) -> int:
        return self.ndim


class _Shape:
    def __init__(self, text: str) -> None:
        self.text = text

    def __getitem__(self, axis: int) -> int:
        return (len(self.text) + axis) % 7 + 1


def written(value: Any) -> str:
    return value.text if isinstance(value, Term) else repr(value)


def named(word: str) -> Any:
    return lambda *args: Term(f"{word}({', '.join(written(a) for a in args)})")


def cat(parts: list[Term], **axis: int) -> Term:
    ((_, value),) = axis.items()
    return Term(f"cat({[part.text for part in parts]}, {value})")


TORCH = SimpleNamespace(
    add=named("add"),
    sub=named("sub"),
    mul=named("mul"),
    matmul=named("matmul"),
    neg=named("neg"),
    relu=named("relu"),
    transpose=named("transpose"),
    cat=cat,
)
F = SimpleNamespace(relu=named("relu"))
OPS = SimpleNamespace(
    add=named("add"),
    sub=named("sub"),
    mul=named("mul"),
    matmul=named("matmul"),
    neg=named("neg"),
    relu=named("relu"),
    cat=cat,
)

numbers = st.recursive(
    st.sampled_from(["n", "2", "3"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(
            lambda t: f"({t[0]} {t[1]} {t[2]})"
        ),
        st.sampled_from(["x.size(0)", "y.size(-1)", "x.dim()", "(-x).size(1)", "(x + y).dim()"]),
    ),
    max_leaves=3,
)


def _tensors(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(inner, inner)
    spaced = st.sampled_from(["", " ", "\n        ", "  # a comment\n        "])
    return st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "@"]), inner).map(
            lambda t: f"{t[0]} {t[1]} {t[2]}"
        ),
        st.tuples(inner, numbers).map(lambda t: f"({t[0]}) * {t[1]}"),
        st.tuples(inner, numbers).map(lambda t: f"({t[0]}) ** {t[1]}"),
        inner.map(lambda t: f"-{t}"),
        inner.map(lambda t: f"({t})"),
        inner.map(lambda t: f"({t})[0]"),
        inner.map(lambda t: f"({t}).transpose(0, 1)"),
        inner.map(lambda t: f"torch.relu({t})"),
        inner.map(lambda t: f"F.relu({t})"),
        inner.map(lambda t: f"torch.neg({t})"),
        inner.map(lambda t: f"torch.transpose({t}, 1, 2)"),
        st.tuples(pair, spaced, st.sampled_from(["add", "sub", "mul", "matmul"])).map(
            lambda t: f"torch.{t[2]}({t[1]}{t[0][0]},{t[1]}{t[0][1]}{t[1]})"
        ),
        pair.map(lambda t: f"torch.cat([{t[0]}, {t[1]}], dim=1)"),
        st.tuples(pair, numbers).map(lambda t: f"({t[0][0]} if {t[1]} > 2 else {t[0][1]})"),
        pair.map(lambda t: f"[{t[0]}, {t[1]}][x.dim() > 2]"),
        pair.map(lambda t: f"(lambda a: a - {t[1]})({t[0]})"),
    )


tensors = st.recursive(st.sampled_from(["x", "y"]), _tensors, max_leaves=8)


@pytest.fixture(scope="module")
def mapping() -> Mapping:
    return load_mappings()


def ported(text: str, mapping: Mapping) -> str:
    module = SourceModule("model", Path("model.py"), text, ast.parse(text), display="model.py")
    return body_of(main_file(port_program(Source((module,), None, "model"), mapping)).text)


def value_of(text: str, **names: Any) -> str:
    """Compute `f` of a module's text with stand-ins, its imports left out."""
    tree = ast.parse(text)
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for argument in tree.body[0].args.args:  # type: ignore[attr-defined]
        argument.annotation = None
    scope = {"math": math, **names}
    exec(compile(tree, "model.py", "exec"), scope)  # noqa: S102 - the text is this test's own
    return written(scope["f"](Term("x"), Term("y"), 3))


@settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(expression=tensors)
def test_order_and_precedence_are_kept(mapping: Mapping, expression: str) -> None:
    text = f"{HEAD}{SIGNATURE}    return (\n        {expression}\n    )\n"
    new = ported(text, mapping)
    assert "torch" not in new.replace("# Ported", "")
    assert text.count("# a comment") == new.count("# a comment")
    assert value_of(new, ops=OPS) == value_of(text, torch=TORCH, F=F)
