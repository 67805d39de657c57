"""Make recipes and port folders for the parity tests."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from porter.parity import verify
from porter.parity.worker import Outcome
from porter.recipe import Recipe, parse_recipe

HERE = Path(__file__).parent
MAPPINGS = HERE / "mappings"
_REFERENCES: dict[str, tuple[Path, dict[str, Outcome]]] = {}


@pytest.fixture
def make_recipe() -> Callable[..., Recipe]:
    """Return a function that makes the recipe of the tiny module; keywords change [verify]."""

    def make(
        cases: list[dict[str, Any]] | None = None,
        changes: dict[str, Any] | None = None,
        **settings: Any,
    ) -> Recipe:
        inputs = {"x": {"randn": [2, 5, 4]}, "mask": {"mask": [2, 5]}, "scale": {"value": 0.5}}
        document = {
            "source": {"file": "tiny_source.py", "class": "Tiny"},
            "build": {"args": [4, {"$new": "tiny_source:Sizes", "kwargs": {"hidden": 6}}]},
            "cases": cases or [{"name": "masked", "inputs": inputs, "positional": ["x"]}],
            "verify": settings,
            **(changes or {}),
        }
        return parse_recipe(document, HERE / "recipe.toml")

    return make


@pytest.fixture
def make_port(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes the tiny port, with pieces of its text replaced."""

    def make(*replacements: tuple[str, str], text_file: str = "tiny_port.py") -> Path:
        folder = tmp_path / "port"
        text = (HERE / text_file).read_text()
        for old, new in replacements:
            assert old in text
            text = text.replace(old, new)
        shutil.copytree(HERE.parents[1] / "porter" / "runtime", folder / "runtime")
        (folder / "__init__.py").write_text("")
        (folder / "tiny_source.py").write_text(text)
        (folder / "port.json").write_text(json.dumps({"module": "tiny_source"}))
        return folder

    return make


@pytest.fixture
def shared_reference(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Run the PyTorch side once for all tests that spoil a port of the same recipe."""
    original = verify.Workers.reference

    def reference(workers: verify.Workers, tasks: Sequence[str]) -> dict[str, Outcome]:
        document = json.loads((workers.folder / "job.json").read_text())["document"]
        key = json.dumps([document["source"], document["cases"], document["verify"], list(tasks)])
        if key not in _REFERENCES:
            kept = tmp_path_factory.mktemp("reference")
            outcomes = original(workers, tasks)
            shutil.copytree(workers.folder, kept, dirs_exist_ok=True)
            _REFERENCES[key] = (kept, outcomes)
        kept, outcomes = _REFERENCES[key]
        for part in ("reference", "records"):
            if (kept / part).exists():
                shutil.copytree(kept / part, workers.folder / part, dirs_exist_ok=True)
        shutil.copy(kept / "state.safetensors", workers.folder)
        return dict(outcomes)

    monkeypatch.setattr(verify.Workers, "reference", reference)
