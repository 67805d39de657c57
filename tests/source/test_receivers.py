"""Methods are carried where they are called on tensors, and nowhere else: seen on what was run.

The sites of installed packages are references: `receivers.tsv` has where each stands and what a run
of the package saw there. The sites of `receivers/*.py` are seen as the test runs these files.
"""

from __future__ import annotations

import ast
import csv
import importlib.metadata
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from porter.mapping.load import load_mappings
from porter.port import collection_paused, port_source
from porter.source.follow import follow_reexports
from porter.source.infer import Inference
from porter.source.program import Program
from porter.source.read import read_source
from porter.source.receivers import Receiver, receiver
from tests.source.tracing import Site, site_of, traced

HERE = Path(__file__).parent
OWN = sorted((HERE / "receivers").glob("*.py"))
RECOGNISED = 0.98


@dataclass(frozen=True, slots=True)
class Answer:
    """One site with what was seen there and what the port takes it for."""

    module: str
    site: Site
    is_tensor: bool
    taken: Receiver

    def __str__(self) -> str:
        seen = "a tensor" if self.is_tensor else "no tensor"
        return f"{self.module}:{self.site.line}:{self.site.column} {self.site.callee}: {seen}"


def answers(spelled: str, known: dict[Site, bool]) -> Iterator[Answer]:
    """Infer one module and give its known sites with what they are taken for."""
    with collection_paused():
        source = read_source(spelled)
        program = Program(source.modules, load_mappings(None))
        follow_reexports(program)
        inference = Inference(program)
        inference.run_all()
    main = source.modules[0]
    nodes = list(ast.walk(main.tree))
    calls = {node.func: node for node in nodes if isinstance(node, ast.Call)}
    found = {site_of(node): node for node in nodes if isinstance(node, ast.Attribute)}
    for site, is_tensor in sorted(known.items()):
        assert site in found, f"{spelled} has no {site}"
        node = found[site]
        yield Answer(spelled, site, is_tensor, receiver(inference, node, calls.get(node)))


def judge(title: str, given: list[Answer]) -> None:
    """Print the figures of some sites, and fail where they are not good enough."""
    tensors = [answer for answer in given if answer.is_tensor]
    others = [answer for answer in given if not answer.is_tensor]
    sure = [answer for answer in tensors if answer.taken is Receiver.TENSOR]
    missed = [answer for answer in tensors if not answer.taken.is_tensor]
    wrong = [answer for answer in others if answer.taken.is_tensor]
    share = 1 - len(missed) / len(tensors)
    print(
        f"{title}: {len(given)} sites; of {len(tensors)} tensors {share:.1%} recognised"
        f" ({len(sure)} known, the rest assumed); of {len(others)} others {len(wrong)} rewritten"
    )
    assert not wrong, "\n".join(map(str, wrong))
    assert share >= RECOGNISED, "\n".join(map(str, missed))


def references(package: str) -> dict[str, dict[Site, bool]]:
    """Return the recorded sites of a package by module; fails if another version is installed."""
    result: dict[str, dict[Site, bool]] = defaultdict(dict)
    with (HERE / "receivers.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            if row["package"] == package:
                installed = importlib.metadata.version(package)
                assert installed == row["version"], (
                    f"the sites were recorded with {package} {row['version']}; {installed} is"
                    " installed (constraints.txt has the version)"
                )
                site = Site(int(row["line"]), int(row["column"]), row["callee"])
                result[row["module"]][site] = row["answer"] == "tensor"
    return result


def test_receivers_in_transformers() -> None:
    known = references("transformers")
    assert sum(map(len, known.values())) >= 300
    given = [answer for module in known for answer in answers(module, known[module])]
    judge("transformers", given)


@pytest.mark.parametrize("package", ["timm", "diffusers"])
def test_receivers_in_packages_that_may_be_installed(package: str) -> None:
    known = references(package) if _has(package) else {}
    if not known:
        pytest.skip(f"{package} is not among the packages of constraints.txt")
    judge(package, [answer for module in known for answer in answers(module, known[module])])


def _has(package: str) -> bool:
    try:
        importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def test_receivers_in_source_written_for_it() -> None:
    given = [answer for path in OWN for answer in answers(str(path), traced(path))]
    assert len(given) >= 400
    assert sum(not answer.is_tensor for answer in given) >= 150
    judge("own source", given)


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_lines_without_tensors_stay_as_they_are(path: Path) -> None:
    """What the inference says is what the port does."""
    lines = path.read_text(encoding="utf-8").splitlines()
    by_line: dict[int, set[bool]] = defaultdict(set)
    for site, is_tensor in traced(path).items():
        by_line[site.line].add(is_tensor)
    ported = next(file for file in port_source(str(path)).files if file.source is not None)
    kept = {line.strip() for line in ported.text.splitlines()}
    plain = [lines[line - 1].strip() for line, seen in by_line.items() if seen == {False}]
    changed = [line for line in plain if line not in kept and "torch" not in line]
    assert changed == []
