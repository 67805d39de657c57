"""Find the comments that a port lost, and no others."""

from __future__ import annotations

import ast

from porter.emit.comments import dropped_comments

SOURCE = """\
# header
def gone():
    # same words
    return 1


def kept():
    # same words
    return 2  # lost
"""
PORT = """\
# header
def kept():
    # same words
    return 2
"""


def test_a_comment_that_is_left_is_not_told_because_removed_code_has_the_same() -> None:
    removed = ast.parse(SOURCE).body[:1]
    assert list(dropped_comments(SOURCE, PORT, removed)) == [(9, 15, "# lost")]


def test_of_equal_comments_the_one_outside_of_removed_code_is_told() -> None:
    port = PORT.replace("    # same words\n", "")
    found = list(dropped_comments(SOURCE, port, ast.parse(SOURCE).body[:1]))
    assert found == [(8, 5, "# same words"), (9, 15, "# lost")]
