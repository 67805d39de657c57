"""Hold the JSON schema of the parity report to the report."""

from __future__ import annotations

import dataclasses
import inspect
import json
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from porter.parity import results
from porter.parity.results import ParityReport
from tests.parity.report_samples import bare_report, failing_report, output, passing_report

REPORTS = {"holds": passing_report(), "fails": failing_report(), "bare": bare_report()}
CLASSES = [
    kind
    for _, kind in inspect.getmembers(results, dataclasses.is_dataclass)
    if kind.__module__ == results.__name__
]


@pytest.fixture(scope="module")
def schema(repository: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((repository / "docs" / "parity.schema.json").read_text())
    return loaded


def errors(schema: dict[str, Any], document: Any) -> list[str]:
    """Return all messages, those within alternatives too."""
    found = list(Draft202012Validator(schema).iter_errors(document))
    for error in found:
        found += error.context
    return [error.message for error in found]


def objects(schema: dict[str, Any], part: dict[str, Any], document: Any) -> Iterator[Any]:
    """Yield every object of the document that the schema describes, with its description."""
    for option in part.get("anyOf", [part]):
        described = schema["$defs"][option["$ref"][8:]] if "$ref" in option else option
        if isinstance(document, list) and "items" in described:
            for item in document:
                yield from objects(schema, described["items"], item)
        if isinstance(document, dict) and "properties" in described:
            yield described, document
            for name, value in document.items():
                yield from objects(schema, described["properties"].get(name, {}), value)


def test_the_schema_is_one(schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_reports_are_valid(schema: dict[str, Any], report: ParityReport) -> None:
    # As a program reads it: through text, and strictly JSON.
    document = json.loads(json.dumps(report.to_json(), allow_nan=False))
    assert errors(schema, document) == []


def test_numbers_that_json_lacks_are_strings(schema: dict[str, Any]) -> None:
    report = passing_report()
    rows = [
        replace(output("y", 1), port_error=value, maximum_absolute=value)
        for value in (math.nan, math.inf, -math.inf)
    ]
    variant = replace(report.runs[0].variants[0], outputs=tuple(rows))
    document = replace(
        report, runs=(replace(report.runs[0], variants=(variant,)),), seconds=math.inf
    ).to_json()
    outputs = document["runs"][0]["variants"][0]["outputs"]
    assert [row["port_error"] for row in outputs] == ["nan", "inf", "-inf"]
    assert errors(schema, document) == []
    outputs[0]["port_error"] = "many"
    assert errors(schema, document) != []


def test_the_samples_reach_every_object(schema: dict[str, Any]) -> None:
    reached = [described for described, _ in objects(schema, schema, failing_report().to_json())]
    missing = [
        name
        for name, described in schema["$defs"].items()
        if described.get("type") == "object" and described not in reached
    ]
    assert missing == []


def test_each_field_is_required_wherever_it_stands(schema: dict[str, Any]) -> None:
    document = failing_report().to_json()
    one_of_each = {
        id(described): (described, value) for described, value in objects(schema, schema, document)
    }
    for described, value in one_of_each.values():
        assert set(described["required"]) == set(described["properties"])
        for name in described["required"]:
            kept = value.pop(name)
            assert f"{name!r} is a required property" in errors(schema, document)
            value[name] = kept
    assert errors(schema, document) == []


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_the_schema_has_the_fields_of(kind: type[Any], schema: dict[str, Any]) -> None:
    fields = {field.name for field in dataclasses.fields(kind)}
    if kind is ParityReport:
        computed = {"passed", "compared", "largest_difference"}
        assert set(schema["properties"]) == fields | computed
    else:
        assert set(schema["$defs"][kind.__name__]["properties"]) == fields


def test_the_schema_has_the_fields_of_a_finding(schema: dict[str, Any]) -> None:
    [finding] = bare_report().to_json()["findings"]
    assert set(schema["$defs"]["Finding"]["properties"]) == set(finding)


def test_every_field_is_described(schema: dict[str, Any]) -> None:
    parts = [schema, *(part for part in schema["$defs"].values() if "properties" in part)]
    bare = [
        name
        for part in parts
        for name, described in part["properties"].items()
        if not described.get("description")
    ]
    assert bare == []


def test_the_document_names_every_field(schema: dict[str, Any], repository: Path) -> None:
    text = (repository / "docs" / "json.md").read_text("utf-8")
    section = text.split("## `porter verify --format json`")[1].partition("\n## ")[0]
    described = set(re.findall(r"`(\w+)`", section))
    finding = set(schema["$defs"]["Finding"]["properties"])
    parts = [schema, *(part for part in schema["$defs"].values() if "properties" in part)]
    fields = {name for part in parts for name in part["properties"]} - finding
    assert fields - described == set()
