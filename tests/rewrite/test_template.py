"""Fill templates: parentheses, arguments that were not given, variadic values."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst
import pytest

from porter.rewrite.template import fill, parse


def filled(
    template: str, defaults: dict[str, str] | None = None, **values: str | Sequence[str]
) -> str:
    def filler(name: str) -> cst.BaseExpression | list[cst.BaseExpression] | None:
        value = values.get(name)
        if value is None:
            return None
        if isinstance(value, str):
            return cst.parse_expression(value)
        return [
            cst.StarredElement(cst.parse_expression(item[1:]))
            if item.startswith("*")
            else cst.parse_expression(item)
            for item in value
        ]

    return cst.Module([]).code_for_node(fill(parse(template), filler, defaults or {}))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("x", "x.f()"),
        ("x.y", "x.y.f()"),
        ("x[0]", "x[0].f()"),
        ("g(x)", "g(x).f()"),
        ("(x)", "(x).f()"),
        ("[x]", "[x].f()"),
        ("a + b", "(a + b).f()"),
        ("-a", "(-a).f()"),
        ("a if b else c", "(a if b else c).f()"),
        ("a or b", "(a or b).f()"),
        ("a < b", "(a < b).f()"),
        ("lambda: a", "(lambda: a).f()"),
        ("1", "(1).f()"),
        ("1.5", "(1.5).f()"),
        ("await a", "(await a).f()"),
        ("'a' 'b'", "('a' 'b').f()"),
    ],
)
def test_a_receiver_is_parenthesised_where_it_must(value: str, expected: str) -> None:
    assert filled("{self}.f()", self=value) == expected


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("f({x})", "f(a + b)"),
        ("f(y={x})", "f(y=a + b)"),
        ("[{x}]", "[a + b]"),
        ("{x} * 2", "(a + b) * 2"),
        ("-{x}", "-(a + b)"),
        ("{x}[0]", "(a + b)[0]"),
        ("y[{x}]", "y[a + b]"),
        ("{x} if y else z", "(a + b) if y else z"),
    ],
)
def test_a_sum_is_parenthesised_where_it_must(template: str, expected: str) -> None:
    assert filled(template, x="a + b") == expected


@pytest.mark.parametrize("value", ["lambda: a", "x for x in y", "a, b", "(n := a)"])
def test_a_value_that_cannot_be_an_argument_is_parenthesised(value: str) -> None:
    text = filled("f({x}, 1)", x=f"({value})" if "for" in value else value)
    call = cst.ensure_type(cst.parse_expression(text), cst.Call)
    assert len(call.args) == 2


def test_an_argument_that_was_not_given_is_left_out() -> None:
    assert filled("f({x}, axis={dim}, keep={keep})", x="a", keep="True") == "f(a, keep=True)"
    assert filled("f({x}, axis={dim})", x="a") == "f(a)"


def test_a_value_that_was_not_given_elsewhere_takes_its_default() -> None:
    assert filled("{x} ** {power}", {"power": "2"}, x="a") == "a ** 2"


def test_several_values_become_one_tuple_or_several_arguments() -> None:
    assert filled("f({size})", size=["a"]) == "f((a,))"
    assert filled("f({size})", size=["a", "*b"]) == "f((a, *b))"
    assert filled("f({x}, *{size})", x="y", size=["a", "*b"]) == "f(y, a, *b)"


def test_one_value_that_is_spread_over_one_argument_is_written() -> None:
    assert filled("f(*{x})", x=["a"]) == "f(a)"
