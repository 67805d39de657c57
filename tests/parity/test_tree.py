"""Name the outputs that are not compared."""

from __future__ import annotations

import pytest

from porter.parity.tree import ignored


@pytest.mark.parametrize(
    ("name", "names", "expected"),
    [
        ("cache", ("cache",), True),
        ("cache.0.keys", ("cache",), True),
        ("cached", ("cache",), False),
        ("outputs.cache", ("cache",), False),
        ("outputs.cache", ("*.cache",), True),
        ("outputs.cache.0", ("*.cache",), True),
        ("cache", ("*.cache",), True),
        ("outputs.cached.0", ("*.cache",), False),
    ],
)
def test_a_name_stands_for_all_below_it_and_a_star_for_any_depth(
    name: str, names: tuple[str, ...], expected: bool
) -> None:
    assert ignored(name, names) is expected
