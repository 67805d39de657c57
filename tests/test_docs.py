"""Hold the documents to what they describe."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from porter.recipe import Build, Case, Verify, Weights, load_recipe

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("mappings/*.md")])
RECIPES = (ROOT / "docs" / "recipes.md").read_text("utf-8")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files(path: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text("utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []


def test_the_recipe_in_the_document_is_one(tmp_path: Path) -> None:
    [text] = re.findall(r"```toml\n(.*?)```", RECIPES, re.DOTALL)
    path = tmp_path / "recipe.toml"
    path.write_text(text)
    assert load_recipe(str(path)).source.class_name == "Blip2QFormerModel"


@pytest.mark.parametrize(
    ("heading", "kind", "others"),
    [
        ("[build]", Build, set()),
        ("[weights]", Weights, set()),
        ("[verify]", Verify, set()),
        ("[[cases]]", Case, {"variants", "optional_variants"}),
    ],
)
def test_every_key_of_a_recipe_is_described(
    heading: str, kind: type[Build | Weights | Verify | Case], others: set[str]
) -> None:
    section = RECIPES.split(f"## `{heading}`")[1].partition("\n## ")[0]
    described = set(re.findall(r"`(\w+)`", section))
    assert {field.name for field in fields(kind)} - others - described == set()
