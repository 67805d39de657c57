"""Run the examples of the rules on MindSpore 2.7, in an environment of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.check.pages import Pair, pairs

VERSION = "2.7"
PACKAGES = ["mindspore==2.7.0", "numpy<2", "safetensors"]
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def confirmed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bool]:
    """Install the older MindSpore, and say of each rule whether its example is wrong there."""
    root = tmp_path_factory.mktemp("older")
    subprocess.run([sys.executable, "-m", "venv", str(root / "venv")], check=True)
    python = root / "venv" / "bin" / "python"
    installed = subprocess.run(
        [python, "-m", "pip", "install", "-q", *PACKAGES], capture_output=True, text=True
    )
    if installed.returncode:
        pytest.skip(f"MindSpore {VERSION} cannot be installed: {installed.stderr[-200:]}")
    (root / "work").mkdir()
    done = subprocess.run(
        [python, "-m", "tests.check.old_version", str(root / "work")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    result: dict[str, bool] = json.loads(done.stdout.splitlines()[-1])
    return result


@pytest.mark.slow
@pytest.mark.parametrize("pair", pairs(), ids=lambda pair: pair.code)
def test_the_page_names_the_version_where_the_rule_holds(
    confirmed: dict[str, bool], pair: Pair
) -> None:
    assert confirmed[pair.code] == (VERSION in pair.versions)
