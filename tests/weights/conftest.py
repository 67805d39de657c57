"""Run each test of the weights in its own folder, with its own small mapping table."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.mapping.load import Mapping
from tests.weights.support import table


@pytest.fixture(autouse=True)
def folder(in_folder: Path) -> Path:
    """Return the empty folder that the test runs in."""
    return in_folder


@pytest.fixture(scope="session")
def mapping() -> Mapping:
    """Return the entries of the modules that the tests use."""
    return table()
