"""Find keywords of Tensor methods that only PYNATIVE_MODE knows; the table is measured."""

from __future__ import annotations

import ast
import functools
import tomllib
from collections.abc import Iterable, Mapping
from importlib import resources

from porter.check.rule import Context, Fix, Hit, on
from porter.plan.edits import Replace, Value

TENSORS = ("tensor", "maybe")


@functools.cache
def keyword_table() -> Mapping[str, Mapping[str, str]]:
    """Return, for each method, the keywords to replace and what takes their place."""
    text = resources.files("porter.check").joinpath("tensor_methods.toml").read_text("utf-8")
    return {name: row["keywords"] for name, row in tomllib.loads(text).items()}


@on(ast.Call)
def keyword_of_method(context: Context, node: ast.AST) -> Iterable[Hit]:
    """Report `x.split(2, dim=1)`, which GRAPH refuses."""
    assert isinstance(node, ast.Call)
    func = node.func
    if not isinstance(func, ast.Attribute) or func.attr not in keyword_table():
        return
    other = keyword_table()[func.attr]
    refused = [item.arg for item in node.keywords if item.arg in other]
    if not refused or context.qualified(func) or context.kind(func.value) not in TENSORS:
        return
    spelled = ", ".join(f"{other[name or '']}=" for name in refused)
    yield Hit(
        "PRT346",
        node,
        f"x.{func.attr}({', '.join(f'{name}=' for name in refused)}) works in PYNATIVE_MODE alone:"
        " on CPU, GRAPH_MODE refuses the keyword",
        f"write {spelled}",
        _renamed(node, func, other),
    )


def _renamed(node: ast.Call, func: ast.Attribute, other: Mapping[str, str]) -> Fix | None:
    if any(item.arg is None for item in node.keywords):
        return None
    values: dict[str, Value] = {"x": func.value}
    parts = []
    for number, argument in enumerate(node.args):
        values[f"a{number}"] = argument
        parts.append(f"{{a{number}}}")
    for number, item in enumerate(node.keywords):
        values[f"k{number}"] = item.value
        parts.append(f"{other.get(item.arg or '', item.arg)}={{k{number}}}")
    return Fix(((node, Replace(f"{{x}}.{func.attr}({', '.join(parts)})", values)),))
