"""Run a zoo of small models: stages, limits, stand-ins, resuming, the table and the page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from porter.cli import main
from porter.types import PorterError
from porter.zoo.command import run_zoo
from porter.zoo.entry import read_zoo
from porter.zoo.report import verdict_line, zoo_page
from porter.zoo.results import STAGES, Cause, ModelResult, ZooReport, from_json
from porter.zoo.schedule import Limits

MODELS = Path(__file__).with_name("models.py")
AMPLE = Limits(300.0, 8 * 2**30)


def entry(name: str, identifier: str | None = None, **more: Any) -> dict[str, Any]:
    return {
        "id": identifier or name.lower(),
        "file": str(MODELS),
        "cls": name,
        "how": "ctor",
        "inputs": {"x": {"randn": [2, 4]}},
        "stubs": ["no_such_package"],
        **more,
    }


def zoo_file(folder: Path, *entries: dict[str, Any]) -> Path:
    path = folder / "zoo.json"
    path.write_text(json.dumps(list(entries)))
    return path


def result(identifier: str, **values: Any) -> ModelResult:
    stages: dict[str, bool | None] = dict.fromkeys(STAGES, True)
    stages.update(values.pop("stages", {}))
    return ModelResult(identifier, "package==1.0", "Model", stages, **values)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, ZooReport]:
    folder = tmp_path_factory.mktemp("zoo")
    path = zoo_file(folder, entry("Holds", kwargs={"width": 4}), entry("Refused"))
    return path, folder / "out", run_zoo(path, folder / "out", jobs=2, limits=AMPLE)


def test_each_model_tells_how_far_it_came(measured: tuple[Path, Path, ZooReport]) -> None:
    holds, refused = measured[2].models
    assert holds.passed
    assert all(holds.stages.values())
    assert holds.difference is not None
    assert holds.difference < 1e-6
    assert holds.peak_bytes > 2**27
    assert refused.verdict == "said"
    assert refused.stages["ported"] is False
    assert refused.cause is not None
    assert refused.cause.code.startswith("PRT")
    assert "models.py" in refused.cause.position


def test_a_finished_model_is_not_run_again(measured: tuple[Path, Path, ZooReport]) -> None:
    path, output, report = measured
    times = {file: file.stat().st_mtime_ns for file in output.rglob("result.json")}
    again = run_zoo(path, output, limits=AMPLE)
    assert again.models == report.models
    assert times == {file: file.stat().st_mtime_ns for file in output.rglob("result.json")}


def test_only_some_models_are_run(
    measured: tuple[Path, Path, ZooReport], capsys: pytest.CaptureFixture[str]
) -> None:
    path, output, _ = measured
    assert main(["zoo", str(path), "-o", str(output), "--only", "holds", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [model["identifier"] for model in document["models"]] == ["holds"]
    assert main(["zoo", str(path), "-o", str(output)]) == 1
    assert "2 models: 1 give PyTorch's outputs, 1 do not, and porting said so" in " ".join(
        capsys.readouterr().out.split()
    )
    assert main(["zoo", str(path), "-o", str(output), "--only", "nothing"]) == 2
    assert "PRT703 no entry nothing" in capsys.readouterr().err


def test_limits_end_a_model_and_leave_the_others(tmp_path: Path) -> None:
    path = zoo_file(tmp_path, entry("Slow"))
    (slow,) = run_zoo(path, tmp_path / "out", limits=Limits(8.0, 2**40)).models
    assert slow.verdict == "loud"
    assert slow.failures[0].message == "not done within 8 seconds"
    (slow,) = run_zoo(path, tmp_path / "small", limits=Limits(60.0, 2**20)).models
    assert slow.failures[0].message == "took more than 0.0 GiB of memory"


def test_a_model_that_torch_cannot_run_is_told_apart(tmp_path: Path) -> None:
    path = zoo_file(tmp_path, entry("Holds", stubs=[]), entry("Augmented"))
    report = run_zoo(path, tmp_path / "out", jobs=2, limits=AMPLE)
    assert [model.verdict for model in report.models] == ["reference", "said"]


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("{", "PRT701", "not JSON"),
        ("3", "PRT701", "no list of models"),
        ("[3]", "PRT702", "model 0 has no id, cls, how, inputs"),
        ('[{"id": "a", "cls": "A", "how": "ctor"}]', "PRT702", "model 0 has no inputs"),
    ],
)
def test_what_is_no_zoo_is_refused(tmp_path: Path, text: str, code: str, message: str) -> None:
    path = tmp_path / "zoo.json"
    path.write_text(text)
    with pytest.raises(PorterError, match=message) as error:
        read_zoo(path)
    assert error.value.code == code


def test_an_id_stays_in_the_output_folder(tmp_path: Path) -> None:
    path = zoo_file(tmp_path, entry("Holds", "../elsewhere"))
    with pytest.raises(PorterError, match="no name of a folder"):
        run_zoo(path, tmp_path / "out", limits=AMPLE)


def test_causes_are_grouped_without_what_differs() -> None:
    failed = {"stages": {"parity": False}}
    report = ZooReport(
        "zoo.json",
        (
            result("one", failures=(Cause("PRT606", "no 'a' of 3"),), **failed),
            result("two", failures=(Cause("PRT606", "no 'b' of 12"),), **failed),
            result("three", failures=(Cause("PRT603", "off"),), **failed),
            result("four"),
        ),
    )
    groups = {kind: [m.identifier for m in models] for kind, models in report.causes().items()}
    assert groups == {"PRT606 no '…' of N": ["one", "two"], "PRT603 off": ["three"]}
    assert report.count("silent") == 1
    assert "1 do not, and nothing said so" in verdict_line(report)
    assert [from_json(model.to_json()) for model in report.models] == list(report.models)


def test_the_page_is_whole_and_loads_nothing() -> None:
    odd = result("<b>", stages={"parity": False}, failures=(Cause("PRT606", "<script>x"),))
    text = zoo_page(ZooReport("zoo.json", (result("one"), odd), {"torch": "2"}))
    assert "<h1>1 of 2 in parity</h1>" in text
    assert "<b>" not in text
    assert "<script>x" not in text
    assert re.findall(r"""\b(?:src|srcset|action)\s*=|url\(|@import""", text) == []
    assert "://" not in text
    assert "default-src 'none'" in text
