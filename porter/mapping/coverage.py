"""Show what becomes of every name that model code uses: decided how, and proven by what."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.mapping.load import Mapping, default_directory, load_mappings
from porter.mapping.schema import Entry, Overload

TARGETS = "targets.tsv"
PAGE = "docs/coverage.md"
MOST_USED = 250

HEAD = """# Coverage

What becomes of each name on the list `mappings/targets.tsv`: the torch names that the modeling
files of transformers 5.24 use, with the number of files, and names of other lists, with 0. Written
by `python -m porter.mapping.coverage --write`; a test fails when it is stale.

*mapped*: rewritten. *vanishes*: left out of the port, for nothing there reads it. *package*: its
names are mapped one by one. *refused*: left as it is, with an error that says why.

Every sample runs in GRAPH_MODE (STRICT syntax) and PYNATIVE_MODE beside torch in
`tests/mapping/test_samples.py`, with dynamic shapes and for gradients too; what is known to fail
there is named. A case is a port in `tests/cases` that is compared as text; those of whole models
run too. Optimizers and schedulers run in `tests/mapping/test_optimizers.py`. Where the last column
is empty there is nothing to run: a class, a context, an annotation.
"""


@dataclass(frozen=True, slots=True)
class Target:
    """A name that model code uses, and in how many of the files that were counted."""

    name: str
    files: int


@dataclass(frozen=True, slots=True)
class Decision:
    """What the tables say of one target; `kind` is empty where they say nothing."""

    target: Target
    kind: str = ""
    becomes: str = ""
    proof: str = ""


def read_targets(directory: Path | None = None) -> tuple[Target, ...]:
    """Return the committed list of names, the most used first."""
    path = (directory or default_directory()) / TARGETS
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    return tuple(Target(name, int(files)) for name, files in rows)


def decide(target: Target, mapping: Mapping) -> Decision:
    """Return what the tables say of a name."""
    entry = mapping.find(target.name)
    if entry is None:
        below = sum(name.startswith(f"{target.name}.") for name in mapping.entries)
        return Decision(target, "package", f"{below} names", "") if below else Decision(target)
    if entry.manual is not None:
        if entry.cases:
            return Decision(target, "vanishes", entry.manual, _proof(entry))
        return Decision(target, "refused", entry.manual)
    if all(overload.manual for overload in entry.overloads):
        return Decision(target, "refused", str(entry.overloads[0].manual))
    if entry.drop:
        return Decision(target, "vanishes", entry.notes, _proof(entry))
    ways = dict.fromkeys(_way(overload) for overload in entry.overloads)
    text = ", ".join(ways)
    if entry.graph_manual is not None:
        text += f" (outside of a graph only: {entry.graph_manual})"
    return Decision(target, "mapped", text, _proof(entry))


def _way(overload: Overload) -> str:
    return f"`{overload.target or overload.emit}`" if overload.manual is None else "refused"


def _proof(entry: Entry) -> str:
    count = sum(len(overload.samples) for overload in entry.overloads)
    parts = [f"{count} samples"] if count > 1 else ["1 sample"] * count
    if entry.kind == "constant" and entry.overloads[0].result in ("dtype", "float"):
        parts.append("a call that takes it")
    parts += [f"case {name}" for name in entry.cases]
    for limit in entry.limits:
        where = ", ".join((*limit.modes, *limit.dtypes))
        some = f", {len(limit.samples)} of them" if limit.samples else ""
        parts.append(f"known to fail in {where}{some}: {limit.reason}")
    return "; ".join(parts)


def page(decisions: Sequence[Decision]) -> str:
    """Return the page for a list of decisions."""
    counts = Counter(decision.kind or "undecided" for decision in decisions)
    used = [decision for decision in decisions if decision.target.files]
    refused = [decision for decision in used if decision.kind == "refused"]
    places = {decision.target: place for place, decision in enumerate(used)}
    early = [item.target.name for item in refused if places[item.target] < MOST_USED]
    names = ", ".join(f"`{name}`" for name in early) or "none"
    lines = [
        HEAD,
        f"{len(decisions)} names: "
        + ", ".join(f"{count} {kind}" for kind, count in counts.most_common())
        + ".",
        f"Of the {len(used)} that model files use, {len(refused)} are refused"
        f" ({100 * len(refused) / len(used):.1f} %); of the {MOST_USED} most used: {names}.",
        "",
        "| name | files | decision | becomes | proof |",
        "|---|---|---|---|---|",
    ]
    for item in decisions:
        cells = (
            f"`{item.target.name}`",
            str(item.target.files),
            item.kind or "undecided",
            item.becomes,
            item.proof,
        )
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def current_page() -> str:
    """Return the page that the tables give now."""
    mapping = load_mappings()
    return page([decide(target, mapping) for target in read_targets()])


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the page, or write it to its place in the checkout."""
    parser = argparse.ArgumentParser(prog="porter.mapping.coverage", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {PAGE} of the checkout")
    options = parser.parse_args(arguments)
    text = current_page()
    if options.write:
        (default_directory().parent / PAGE).write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
