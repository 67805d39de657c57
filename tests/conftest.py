"""Keep what tests of every stage share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes the expected files of tests/cases anew."""
    parser.addoption("--update", action="store_true", help="rewrite the expected files of cases")


@pytest.fixture(scope="session")
def repository() -> Path:
    """Return the root of the checkout."""
    return REPOSITORY


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run the test in an empty folder of its own: a failed compilation writes where it runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the rates that sweeps recorded: what a test prints in a worker is lost."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, value in getattr(report, "user_properties", ()):
                if name == "rate" and report.when == "call":
                    terminalreporter.write_line(str(value))
