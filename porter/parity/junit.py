"""Write what a verification found as JUnit XML, for continuous integration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from porter.extras import missing_package
from porter.parity.report import KINDS, location_lines, untold, verdict_line
from porter.parity.results import (
    GradientRun,
    LossRun,
    ModuleRow,
    ModuleRun,
    OutputRow,
    ParityReport,
    RandomRun,
    RunRow,
)

if TYPE_CHECKING:
    from junitparser import TestCase, TestSuite

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, such as the colours in a compiler's message."""


@dataclass(frozen=True, slots=True)
class _Case:
    """One test case. `result` is "", "failure", "error" or "skipped"."""

    group: str
    name: str
    seconds: float = 0.0
    result: str = ""
    code: str = ""
    message: str = ""
    detail: str = ""


def junit_xml(report: ParityReport) -> str:
    """Return one suite for each kind of comparison that was made, one case for each row.

    The suite "verification" has one case, which fails where the report does: so a finding that
    belongs to no row is no success either. The time of a run stands at its first case. Raises
    PorterError (PRT703) where junitparser is not installed.
    """
    try:
        from junitparser import JUnitXml
    except ImportError as error:
        raise missing_package("the JUnit report", error) from error

    suites = JUnitXml("porter verify")
    for name, cases in _suites(report).items():
        if cases:
            suites.add_testsuite(_suite(name, cases, _properties(report)))
    suites.update_statistics()
    text: bytes = suites.tostring()
    return text.decode("utf-8")


def _suites(report: ParityReport) -> dict[str, list[_Case]]:
    suites = {"verification": [_verification(report)]}
    suites["outputs"] = [case for run in report.runs for case in _output_cases(run)]
    for kind, title in KINDS.items():
        runs = [run for run in report.gradients if run.kind == kind]
        suites[title.lower()] = [case for run in runs for case in _gradient_cases(run)]
    suites["random values"] = [case for run in report.random for case in _random_cases(run)]
    suites["losses"] = [_loss_case(run) for run in report.losses]
    suites["modules"] = [case for run in report.modules for case in _module_cases(run)]
    return suites


def _verification(report: ParityReport) -> _Case:
    if report.passed:
        return _Case("porter", "parity")
    lines = [str(finding) for finding in report.findings]
    for run in report.modules:
        lines += location_lines(run.location) if run.location else []
    first = report.findings[0].code if report.findings else ""
    message = verdict_line(report)
    return _Case("porter", "parity", 0.0, "failure", first, message, "\n".join(lines))


def _output_cases(run: RunRow) -> Iterator[_Case]:
    group = f"{run.case} {run.label}"
    seconds = (run.first_seconds or 0.0) + (run.call_seconds or 0.0)
    rows = [(variant.variant, row) for variant in run.variants for row in variant.outputs]
    if not rows or untold(run, [row for _, row in rows]):
        message = run.message or "gave no outputs"
        yield _Case(group, "(run)", seconds, "error", run.code, message, run.detail)
        seconds = 0.0
    for variant, row in rows:
        name = f"{row.name} #{variant}" if variant else row.name
        case = _Case(group, name, seconds, detail=_output_detail(row))
        yield _judged(case, row.code, row.message)
        seconds = 0.0


def _output_detail(row: OutputRow) -> str:
    """Return the figures of an output, one a line."""
    figures = {
        "difference": row.maximum_absolute,
        "PyTorch error": row.torch_error,
        "port error": row.port_error,
        "tolerance": row.tolerance,
        "used part of it": row.used,
    }
    lines = [f"{name}: {value:.3g}" for name, value in figures.items() if value is not None]
    return "\n".join([*lines, f"rule: {row.rule}"] if row.rule else lines)


def _gradient_cases(run: GradientRun) -> Iterator[_Case]:
    group = f"{run.case} {run.kind}"
    seconds = run.first_seconds or 0.0
    for failed in _failed_run(group, run):
        yield replace(failed, seconds=seconds)
        seconds = 0.0
    for row in run.rows:
        yield _judged(_Case(group, row.name, seconds), row.code, row.message)
        seconds = 0.0


def _random_cases(run: RandomRun) -> Iterator[_Case]:
    group = f"{run.case} random"
    yield from _failed_run(group, run)
    for row in run.rows:
        yield _judged(_Case(group, f"{row.name}: {row.measure}"), row.code, row.message)


def _loss_case(run: LossRun) -> _Case:
    case = _Case("training", run.function, run.port_seconds or 0.0)
    return _judged(case, run.code, run.message)


def _module_cases(run: ModuleRun) -> Iterator[_Case]:
    group = f"{run.case} {run.mode} modules"
    yield from _failed_run(group, run)
    for row in run.rows:
        yield _module_case(group, row)


def _failed_run(group: str, run: GradientRun | RandomRun | ModuleRun) -> Iterator[_Case]:
    """Give the case of a run whose failure no row tells."""
    if untold(run, run.rows):
        yield _Case(group, "(run)", 0.0, "error", run.code, run.message, run.detail)


def _module_case(group: str, row: ModuleRow) -> _Case:
    name = f"{row.path or '(the model)'} #{row.call}" if row.call else row.path or "(the model)"
    if row.port_error is None and not row.code:
        return _Case(group, name, 0.0, "skipped", "", row.message)
    return _judged(_Case(group, name), row.code, row.message)


def _judged(case: _Case, code: str, message: str) -> _Case:
    """Return the case with its verdict; what holds needs no detail."""
    if not code:
        return replace(case, detail="")
    return replace(case, result="failure", code=code, message=message)


def _properties(report: ParityReport) -> dict[str, str]:
    properties = {f"version.{name}": version for name, version in report.versions.items()}
    names = ("recipe", "source", "port", "weights", "command")
    values = {name: getattr(report, name) for name in names}
    return {**properties, **{name: value for name, value in values.items() if value}}


def _suite(name: str, cases: Sequence[_Case], properties: dict[str, str]) -> TestSuite:
    from junitparser import TestSuite

    suite = TestSuite(name)
    for key, value in properties.items():
        suite.add_property(_plain(key), _plain(value))
    suite.add_testcases([_test_case(case) for case in cases])
    return suite


def _test_case(case: _Case) -> TestCase:
    from junitparser import Error, Failure, Skipped, TestCase

    made = TestCase(_plain(case.name), _plain(case.group), round(case.seconds, 3))
    kinds = {"failure": Failure, "error": Error, "skipped": Skipped}
    if case.result:
        message = f"{case.code} {case.message}".strip()
        result = kinds[case.result](_plain(message), case.code or None)
        result.text = _plain(case.detail or message)
        made.result = [result]
    return made


def _plain(text: str) -> str:
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
