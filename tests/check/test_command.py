"""Run `porter check` as its user does: findings, formats, settings, comments, mending."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from porter.cli import main

BAD = """import mindspore as ms
import numpy as np
from mindspore import Tensor, nn


class Net(nn.Cell):
    def construct(self, x: Tensor):
        y = x.transpose(0, 1)
        assert y.ndim == 2, "100 %"
        return y * Tensor(np.ones(x.shape), ms.float32)
"""
HELPERS = """import numpy as np


def scaled(x):
    return x / np.sqrt(x.shape[-1])


def unused(x):
    return x / np.sqrt(x.shape[-1])
"""
USER = """from helpers import scaled
from mindspore import Tensor, nn


class Net(nn.Cell):
    def construct(self, x: Tensor):
        return scaled(x)
"""


@pytest.fixture
def net(in_folder: Path) -> Path:
    path = in_folder / "net.py"
    path.write_text(BAD)
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["check", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_findings_are_lines_and_the_exit_code_is_one(
    net: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "net.py")
    assert code == 1
    lines = out.splitlines()
    assert [line.split(" ")[:3] for line in lines] == [
        ["net.py:8:13:", "PRT320", "[*]"],
        ["net.py:10:20:", "PRT301", "[*]"],
    ]
    assert err == "2 findings in 1 file, 2 can be mended with --fix\n"


def test_clean_code_is_zero(in_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (in_folder / "net.py").write_text(BAD.split("class")[0])
    assert run(capsys, "net.py") == (0, "", "1 file checked, no findings\n")


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        (["--select", "PRT32"], ["PRT320"]),
        (["--ignore", "PRT320"], ["PRT301"]),
        (["--select", "PRT3", "--ignore", "PRT30,PRT32,PRT36"], []),
    ],
)
def test_codes_are_chosen(
    net: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], codes: list[str]
) -> None:
    code, out, _ = run(capsys, "net.py", *arguments)
    assert [line.split(" ")[1] for line in out.splitlines()] == codes
    assert code == (1 if codes else 0)


def test_a_comment_allows_its_code_on_its_line(
    net: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = BAD.replace("(0, 1)", "(0, 1)  # porter: ignore[PRT320]")
    net.write_text(text)
    assert "PRT320" not in run(capsys, "net.py")[1]
    net.write_text(text.replace("[PRT320]", "[PRT301]"))
    assert "PRT320" in run(capsys, "net.py")[1]
    net.write_text(text.replace("[PRT320]", ""))
    assert "PRT320" not in run(capsys, "net.py")[1]


def test_settings_come_from_the_project(net: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = net.with_name("pyproject.toml")
    settings.write_text('[tool.porter.check]\nignore = ["PRT320"]\nexclude = ["old*"]\n')
    net.with_name("old_net.py").write_text(BAD)
    code, out, _ = run(capsys, ".")
    assert [line.split(" ")[1] for line in out.splitlines()] == ["PRT301"]
    settings.write_text("[tool.porter.check]\nselekt = []\n")
    code, out, err = run(capsys, ".")
    assert (code, out) == (2, "")
    assert "PRT802" in err
    settings.write_text('[tool.porter.check]\nselect = ["X1"]\n')
    assert "starts no code" in run(capsys, ".")[2]


def test_helpers_in_other_files_are_followed_and_only_what_is_reached(
    in_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (in_folder / "helpers.py").write_text(HELPERS)
    (in_folder / "net.py").write_text(USER)
    _, out, _ = run(capsys, "net.py")
    assert [line.split(" ")[:2] for line in out.splitlines()] == [["helpers.py:5:16:", "PRT302"]]


def test_namesakes_in_two_folders_are_both_checked(
    in_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        (in_folder / name).mkdir()
        (in_folder / name / "net.py").write_text(BAD)
    _, out, _ = run(capsys, ".")
    assert len(out.splitlines()) == 4


def test_json_has_the_fields_of_a_finding(net: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(run(capsys, "net.py", "--format", "json")[1])
    assert data["files"] == 1
    first = data["findings"][0]
    assert (first["code"], first["path"], first["line"]) == ("PRT320", "net.py", 8)
    assert first["fixable"] is True


def test_sarif_names_rules_and_places(net: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(run(capsys, "net.py", "--format", "sarif")[1])
    assert document["version"] == "2.1.0"
    [report] = document["runs"]
    rules = report["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["PRT301", "PRT320"]
    result = report["results"][0]
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == "PRT320"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "net.py"
    assert place["region"] == {"startLine": 8, "startColumn": 13}


def test_github_gets_annotations(net: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "net.py", "--format", "github")[1]
    assert out.startswith("::error file=net.py,line=8,col=13,title=PRT320::")


def test_diff_writes_nothing_and_fix_writes_it(
    net: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = run(capsys, "net.py", "--diff")
    assert "+        y = x.swapaxes(0, 1)\n" in out
    assert net.read_text() == BAD
    code, out, _ = run(capsys, "net.py", "--fix")
    assert (code, out) == (0, "")
    mended = net.read_text()
    assert "import numpy" not in mended
    assert "ops.ones(x.shape, ms.float32)" in mended
    assert run(capsys, "net.py", "--fix")[0] == 0
    assert net.read_text() == mended


def test_fix_leaves_codes_that_were_not_chosen(
    net: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "net.py", "--fix", "--select", "PRT320")
    assert net.read_text() == BAD.replace("transpose", "swapaxes")


def test_what_cannot_be_read_is_named_and_the_rest_is_checked(
    net: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    net.with_name("broken.py").write_text("def construct(:\n")
    code, out, err = run(capsys, ".")
    assert code == 2
    assert len(out.splitlines()) == 2
    assert "broken.py:1:" in err
    assert "PRT001" in err


def test_a_path_that_does_not_exist_is_refused(
    in_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "nothing.py")
    assert (code, out) == (2, "")
    assert err.startswith("PRT801 ")


def test_opt_in_rules_speak_only_when_they_are_named(
    net: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    net.write_text(
        BAD.split("class")[0] + "class Net(nn.Cell):\n"
        "    def construct(self, x: Tensor):\n        return x, None\n"
    )
    assert run(capsys, "net.py")[:2] == (0, "")
    code, out, _ = run(capsys, "net.py", "--select", "PRT351")
    assert code == 0
    assert "PRT351" in out
