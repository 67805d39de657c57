"""Use the helper for tests of other repositories, as such a test would."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from porter.cli import main
from porter.parity.junit import junit_xml
from porter.testing import assert_port_matches
from porter.types import PorterError
from tests.parity.conftest import HERE

RECIPE = """
[source]
file = "{source}"
class = "Normed"

[build]
args = [5]

[[cases]]
name = "rows"
inputs = {{ x = {{ randn = [8, 5] }} }}

[verify]
syntax = ["STRICT"]
shapes = ["static"]
export = false
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "recipe.toml"
    path.write_text(RECIPE.format(source=HERE / "training_source.py"))
    return path


def test_a_port_that_matches_gives_its_report(recipe: Path, repository: Path) -> None:
    report = assert_port_matches(recipe)
    assert report.passed
    schema = json.loads((repository / "docs" / "parity.schema.json").read_text())
    jsonschema.validate(report.to_json(), schema)
    assert 'failures="0"' in junit_xml(report)


def test_a_port_that_does_not_match_names_the_module(
    recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port = tmp_path / "port"
    assert main(["port", f"{HERE / 'training_source.py'}:Normed", "-o", str(port)]) == 0
    path = port / "training_source.py"
    path.write_text(path.read_text().replace("nn.BatchNorm1d(6)", "nn.BatchNorm1d(6, eps=0.1)"))
    page = tmp_path / "page.html"
    with pytest.raises(AssertionError) as error:
        assert_port_matches(recipe, port, modes=["graph"], html=page)
    lines = str(error.value).splitlines()
    assert any("PRT603" in line for line in lines)
    assert any("PRT615" in line and "the first fault is in norm" in line for line in lines)
    assert lines[-1] == (f"run again: porter verify {recipe} --port {port} --mode graph --locate")
    assert "the first fault" in page.read_text() or "norm" in page.read_text()
    capsys.readouterr()


def test_wrong_usage_is_no_failed_assertion(recipe: Path, tmp_path: Path) -> None:
    with pytest.raises(PorterError, match=r"port\.json"):
        assert_port_matches(recipe, tmp_path)


def test_the_command_writes_every_form_of_a_real_report(
    recipe: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {name: tmp_path / f"out.{name}" for name in ("json", "html", "xml")}
    options = ["--report", files["json"], "--html", files["html"], "--junit", files["xml"]]
    assert main(["verify", str(recipe), "--mode", "graph", *map(str, options)]) == 0
    assert "parity holds" in capsys.readouterr().out
    page = files["html"].read_text()
    assert "Plotly" in page
    assert all(f'"{path}' in page or path in page for path in ("first", "norm"))
    assert '<testsuite name="modules"' in files["xml"].read_text()
