"""Run scripts in PyTorch and, ported, in MindSpore, and compare all that their variables hold."""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from porter.parity.tree import Leaf, load_leaves
from porter.parity.worker import Outcome, run_tasks
from porter.port import port_source
from porter.types import Finding, PorterError, PortResult, Severity

WORKER = "tests.scripts.side"
TIME_LIMIT = 60.0
EQUAL, FINDING, DIFFERENT, FAILS, UNCOUNTED = "equal", "finding", "different", "fails", "uncounted"
TOLERANCES = {"float16": 1e-3, "bfloat16": 1.6e-2, "float64": 1e-7, "complex128": 1e-7}
"""Relative tolerances as assert_close has them; that of float32 for all other dtypes."""

UNDEFINED = re.compile(r"\b(empty\w*|new|new_empty|\w*dropout\w*|rrelu|Embedding|svd|eigh)\(")
"""Calls whose values are what the memory held, drawn at random, or free in sign."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a script: one of the outcomes above, and what was found."""

    outcome: str
    message: str = ""
    port: str = ""


def run_scripts(scripts: Mapping[str, str]) -> dict[str, Result]:
    """Port and run every script, and compare each variable of its top level.

    Args:
        scripts: text by name; a name is a Python identifier.
    """
    with tempfile.TemporaryDirectory(prefix="porter-scripts-") as name:
        return _Run(Path(name), scripts).results()


def rates(results: Iterable[Result]) -> str:
    """Return how many scripts had each outcome, in one line."""
    counts = Counter(result.outcome for result in results)
    counted = sum(counts.values()) - counts[UNCOUNTED]
    parts = [f"{counts[item]} {item}" for item in (EQUAL, FINDING, DIFFERENT, FAILS, UNCOUNTED)]
    return f"{', '.join(parts)}: {counts[EQUAL] / max(counted, 1):.1%} of {counted} equal"


class _Run:
    def __init__(self, folder: Path, scripts: Mapping[str, str]) -> None:
        self.scripts = scripts
        self.source, self.port = folder / "source", folder / "port"
        for path, framework in ((self.source, "torch"), (self.port, "mindspore")):
            path.mkdir()
            (path / "job.json").write_text(json.dumps({"framework": framework}))
        self.found: dict[str, list[Finding]] = {}
        self.ported: dict[str, str] = {}

    def results(self) -> dict[str, Result]:
        decided: dict[str, Result] = {}
        for name, text in self.scripts.items():
            path = self.source / f"{name}.py"
            path.write_text(text)
            try:
                self._write(name, port_source(str(path)))
            except PorterError as error:
                decided[name] = Result(FINDING, str(error))
        with ThreadPoolExecutor(2) as pool:
            expected = pool.submit(self._run, self.source, list(self.scripts))
            actual = pool.submit(
                self._run, self.port, [n for n in self.ported if not self._stops(n)]
            )
            reference, candidate = expected.result(), actual.result()
        for name in self.scripts:
            if not reference[name].ok:
                decided[name] = Result(UNCOUNTED, reference[name].message)
            elif name not in decided:
                decided[name] = self._judge(name, candidate.get(name))
        return {name: decided[name] for name in self.scripts}

    def _write(self, name: str, result: PortResult) -> None:
        self.found[name] = list(result.findings)
        self.ported[name] = result.files[0].text
        for file in result.files:
            path = self.port / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file.text)

    def _stops(self, name: str) -> bool:
        return any(finding.severity is not Severity.NOTE for finding in self.found[name])

    def _run(self, folder: Path, names: list[str]) -> dict[str, Outcome]:
        return run_tasks(
            WORKER,
            folder,
            ["import", *names],
            time_limit=TIME_LIMIT,
            progress=lambda _: None,
            crash_code="PRT608",
        )

    def _judge(self, name: str, outcome: Outcome | None) -> Result:
        port = self.ported[name]
        if self._stops(name):
            first = next(f for f in self.found[name] if f.severity is not Severity.NOTE)
            return Result(FINDING, f"{first.code} {first.message}", port)
        if outcome is None or not outcome.ok:
            return Result(FAILS, outcome.message if outcome else "was not run", port)
        random = any(finding.code == "PRT204" for finding in self.found[name])
        random = random or UNDEFINED.search(self.scripts[name]) is not None
        expected = load_leaves(self.source / f"{name}.npz")
        actual = load_leaves(self.port / f"{name}.npz")
        difference = compare(expected, actual, values=not random)
        return Result(DIFFERENT if difference else EQUAL, difference, port)


def compare(expected: Mapping[str, Leaf], actual: Mapping[str, Leaf], *, values: bool) -> str:
    """Return the first difference in one line, empty where there is none.

    Args:
        values: False where the script draws random numbers: shapes and dtypes count alone.
    """
    for name, leaf in expected.items():
        other = actual.get(name)
        if other is None:
            return f"{name} is missing"
        if (leaf.kind, leaf.dtype) != (other.kind, other.dtype):
            return f"{name} is {_form(other)}, in PyTorch {_form(leaf)}"
        if leaf.array is None or other.array is None:
            if values and not _same_value(leaf.value, other.value):
                return f"{name} is {other.value!r}, in PyTorch {leaf.value!r}"
            continue
        if leaf.array.shape != other.array.shape:
            return f"{name} has shape {other.array.shape}, in PyTorch {leaf.array.shape}"
        if values and not _close(leaf, other):
            got, wanted = other.array.reshape(-1)[:6], leaf.array.reshape(-1)[:6]
            return f"{name} holds {got}, in PyTorch {wanted}"
    tops = {str(leaf.path[0]) for leaf in expected.values()}
    extra = [n for n, leaf in actual.items() if str(leaf.path[0]) in tops and n not in expected]
    return f"{extra[0]} is not in PyTorch" if extra else ""


def _form(leaf: Leaf) -> str:
    return f"a {leaf.kind} of {leaf.dtype}" if leaf.dtype else f"a {leaf.kind}"


def _same_value(expected: object, actual: object) -> bool:
    if isinstance(expected, float) and isinstance(actual, float):
        return bool(np.isclose(actual, expected, rtol=1.3e-6, atol=1e-5))
    return expected == actual


def _close(expected: Leaf, actual: Leaf) -> bool:
    rtol = TOLERANCES.get(expected.dtype.removeprefix("numpy."), 1.3e-6)
    assert expected.array is not None
    assert actual.array is not None
    if expected.array.dtype.kind not in "fc":
        return bool(np.array_equal(expected.array, actual.array))
    with np.errstate(invalid="ignore"):
        close = np.isclose(actual.array, expected.array, rtol=rtol, atol=1e-5, equal_nan=True)
    return bool(close.all())
