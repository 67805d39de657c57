"""Make recipes and port folders for the parity tests."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from porter.recipe import Recipe, parse_recipe

HERE = Path(__file__).parent
MAPPINGS = HERE / "mappings"


@pytest.fixture
def make_recipe() -> Callable[..., Recipe]:
    """Return a function that makes the recipe of the tiny module; keywords change [verify]."""

    def make(cases: list[dict[str, Any]] | None = None, **verify: Any) -> Recipe:
        inputs = {"x": {"randn": [2, 5, 4]}, "mask": {"mask": [2, 5]}, "scale": {"value": 0.5}}
        document = {
            "source": {"file": "tiny_source.py", "class": "Tiny"},
            "build": {"args": [4, {"$new": "tiny_source:Sizes", "kwargs": {"hidden": 6}}]},
            "cases": cases or [{"name": "masked", "inputs": inputs, "positional": ["x"]}],
            "verify": verify,
        }
        return parse_recipe(document, HERE / "recipe.toml")

    return make


@pytest.fixture
def make_port(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes the tiny port, with pieces of its text replaced."""

    def make(*replacements: tuple[str, str]) -> Path:
        folder = tmp_path / "port"
        folder.mkdir()
        text = (HERE / "tiny_port.py").read_text()
        for old, new in replacements:
            assert old in text
            text = text.replace(old, new)
        (folder / "__init__.py").write_text("")
        (folder / "tiny_source.py").write_text(text)
        manifest = {"class": "Tiny", "module": "tiny_source", "files": ["tiny_source.py"]}
        (folder / "port.json").write_text(json.dumps(manifest))
        return folder

    return make


@pytest.fixture
def runtime_port(make_port: Callable[..., Path]) -> Callable[..., Path]:
    """Return a function like `make_port` that puts the runtime beside the port."""

    def make(*replacements: tuple[str, str]) -> Path:
        folder = make_port(*replacements)
        shutil.copytree(HERE.parents[1] / "porter" / "runtime", folder / "runtime")
        return folder

    return make
