"""Read the JUnit report back as continuous integration does."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest
from junitparser import JUnitXml, TestCase

from porter.parity.junit import junit_xml
from porter.parity.results import ModuleRun, ParityReport
from porter.types import PorterError
from tests.parity.report_samples import HOSTILE, bare_report, failing_report, passing_report


def suites(report: ParityReport) -> dict[str, list[TestCase]]:
    return {suite.name: list(suite) for suite in JUnitXml.fromstring(junit_xml(report))}


def results(cases: list[TestCase]) -> list[str]:
    return [type(result).__name__ for case in cases for result in case.result]


def test_each_kind_is_a_suite_and_each_row_a_case() -> None:
    report = passing_report()
    found = suites(report)
    assert {name: len(cases) for name, cases in found.items()} == {
        "verification": 1,
        "outputs": report.compared,
        "gradients": 11,
        "training step": 3,
        "random values": 1,
        "losses": 1,
        "modules": 12,
    }
    assert [name for name, cases in found.items() if results(cases)] == ["modules"]
    assert results(found["modules"]) == ["Skipped"]


def test_a_case_is_named_after_its_run_and_its_output() -> None:
    names = [(case.classname, case.name) for case in suites(passing_report())["outputs"]]
    assert names[:2] == [
        ("queries graph STRICT static", "last_hidden_state"),
        ("queries graph STRICT static", "pooler_output"),
    ]
    assert ("queries graph LAX dynamic", "last_hidden_state #1") in names


@pytest.mark.parametrize("report", [passing_report(), failing_report()], ids=["holds", "fails"])
def test_no_two_cases_have_the_same_names(report: ParityReport) -> None:
    names = [(case.classname, case.name) for cases in suites(report).values() for case in cases]
    assert len(names) == len(set(names))


def test_failures_have_code_and_message() -> None:
    found = suites(failing_report())
    [failure] = [case.result[0] for case in found["outputs"] if case.is_failure]
    assert failure.type == "PRT603"
    assert failure.message == f"PRT603 off by 0.01 {HOSTILE}"
    assert "port error: 0.01\n" in failure.text
    assert results(found["gradients"]) == ["Failure", "Error"]
    assert results(found["training step"]) == ["Failure"]
    assert results(found["random values"]) == ["Failure", "Error"]
    assert results(found["losses"]) == ["Failure"]
    assert results(found["modules"]) == ["Skipped", *["Failure"] * 7, "Error"]


def test_a_run_without_outputs_is_an_error_with_its_detail() -> None:
    [case] = [case for case in suites(failing_report())["outputs"] if case.is_error]
    assert (case.classname, case.name) == ("text export", "(run)")
    assert (case.result[0].type, case.result[0].message) == ("PRT606", "PRT606 no graph")
    # XML cannot hold the escape character that colours a terminal.
    assert case.result[0].text == "\N{REPLACEMENT CHARACTER}[1mline"


def test_a_run_that_gave_nothing_is_an_error_without_a_code_too() -> None:
    report = passing_report()
    cases = suites(replace(report, runs=(replace(report.runs[0], variants=()),)))["outputs"]
    assert [case.result[0].message for case in cases] == ["gave no outputs"]
    assert results(cases) == ["Error"]


def test_a_run_that_failed_after_good_outputs_is_an_error_too() -> None:
    report = passing_report()
    spoilt = replace(report.runs[0], code="PRT606", message="the second shape did not compile")
    cases = suites(replace(report, runs=(spoilt,)))["outputs"]
    assert [case.name for case in cases] == ["(run)", "last_hidden_state", "pooler_output"]
    assert results(cases) == ["Error"]


@pytest.mark.parametrize("report", [failing_report(), bare_report()], ids=["full", "bare"])
def test_a_report_that_fails_is_never_green(report: ParityReport) -> None:
    [case] = suites(report)["verification"]
    assert case.is_failure
    for finding in report.findings:
        assert str(finding) in case.result[0].text


def test_the_located_fault_is_told() -> None:
    [case] = suites(failing_report())["verification"]
    assert "encoder.layer.5 (Layer, call 0) is the first module" in case.result[0].text
    assert "out/bert.py:40: return x + 1" in case.result[0].text


def test_what_was_not_done_is_no_suite() -> None:
    assert list(suites(bare_report())) == ["verification"]
    empty = replace(passing_report(), modules=(ModuleRun("queries", "graph"),), random=())
    assert not {"modules", "random values"} & suites(empty).keys()


@pytest.mark.parametrize("report", [passing_report(), failing_report()], ids=["holds", "fails"])
def test_the_attributes_that_servers_read_add_up(report: ParityReport) -> None:
    root = ElementTree.fromstring(junit_xml(report))
    assert root.tag == "testsuites"
    assert [child.tag for child in root] == ["testsuite"] * len(root)
    for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        for suite in root:
            assert int(suite.attrib[name]) == len(list(suite.iter(tag)))
        assert int(root.attrib[name]) == len(list(root.iter(tag)))
    for suite in root:
        times = [float(case.attrib["time"]) for case in suite.iter("testcase")]
        assert float(suite.attrib["time"]) == pytest.approx(sum(times), abs=1e-3)
        assert all(case.get("name") and case.get("classname") for case in suite.iter("testcase"))
        assert all(child.get("message") for case in suite.iter("testcase") for child in case)
    seconds = sum((run.first_seconds or 0) + (run.call_seconds or 0) for run in report.runs)
    assert float(root.findall("testsuite")[1].attrib["time"]) == pytest.approx(seconds)


def test_versions_recipe_and_command_are_properties() -> None:
    for suite in JUnitXml.fromstring(junit_xml(passing_report())):
        properties = {entry.name: entry.value for entry in suite.properties()}
        assert properties["version.mindspore"] == "2.10.0"
        assert properties["recipe"] == "recipe.toml"
        assert properties["command"] == "porter verify recipe.toml --port out"
        assert properties["weights"] == "bert.ckpt"


def test_without_the_package_the_error_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "junitparser", None)
    with pytest.raises(PorterError, match="JUnit report needs the package junitparser") as error:
        junit_xml(passing_report())
    assert error.value.code == "PRT703"
    assert "porter-mindspore[verify]" in str(error.value)
