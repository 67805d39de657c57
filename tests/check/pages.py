"""Read the examples of the checker's pages: what a block claims, and how it is run."""

from __future__ import annotations

import re
from dataclasses import dataclass

from porter.diagnostics.codes import CODES, page

BLOCK = re.compile(
    r"```python (?P<verb>[a-z]+)(?: (?P<mode>[A-Z]+ [a-z]+))?\n(?P<text>.*?)```", re.S
)
MARK = re.compile(r"  # (PRT\d{3})$", re.M)
BAD = ("fails", "breaks", "differs", "misleads", "recompiles")
GOOD = ("works", "fixed", "instead", "compiles")
ALL_MODES = ("STRICT/static", "LAX/static", "STRICT/dynamic", "LAX/dynamic")


@dataclass(frozen=True, slots=True)
class Pair:
    """The two examples of a page: what the rule finds, and what takes its place."""

    code: str
    bad_verb: str
    mode: str
    bad: str
    good_verb: str
    good: str

    @property
    def marks(self) -> list[tuple[str, int]]:
        """The codes that the comments of the first example promise, with their lines."""
        lines = self.bad.splitlines()
        return [
            (found.group(1), number)
            for number, line in enumerate(lines, 1)
            if (found := MARK.search(line))
        ]

    @property
    def unmarked(self) -> str:
        """The first example without the comments that promise codes."""
        return MARK.sub("", self.bad)


def pairs() -> list[Pair]:
    """Return the examples of all rules, in the order of their codes."""
    found = []
    for code in CODES.values():
        blocks = [match for match in BLOCK.finditer(page(code)) if match["verb"] in BAD + GOOD]
        if not blocks:
            continue
        bad, good = blocks
        found.append(
            Pair(
                code.code,
                bad["verb"],
                bad["mode"].replace(" ", "/"),
                bad["text"],
                good["verb"],
                good["text"],
            )
        )
    return found
