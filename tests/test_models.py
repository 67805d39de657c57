"""Port models of transformers with no edit, and hold each to torch in GRAPH_MODE."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from porter.parity.verify import verify
from porter.recipe import load_recipe, parse_recipe

MODELS = Path(__file__).with_name("models.json")
NAMES = [entry["id"] for entry in json.loads(MODELS.read_text())["models"]]
SETTINGS = {"shapes": ["static"], "training": False, "export": False}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_model_holds_without_an_edit(name: str) -> None:
    document = load_recipe(f"{MODELS}:{name}").document
    recipe = parse_recipe(
        {**document, "verify": {**document["verify"], **SETTINGS}}, MODELS.with_name(name)
    )
    report = verify(recipe)
    assert report.findings == ()
    assert report.passed
    assert {run.label for run in report.runs} == {
        "graph STRICT static",
        "graph LAX static",
        "pynative",
    }
