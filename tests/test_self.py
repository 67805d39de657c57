"""Hold the repository to its own rules."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LONGEST_FILE = 400
HEAVY = {"mindspore", "safetensors", "torch", "transformers"}
# Folders and files of porter/ that build and run models; nothing else imports a framework.
HEAVY_PLACES = ("weights/", "parity/", "runtime/", "bench", "build.py", "run.py")
TEXT_ENDINGS = {".cfg", ".md", ".py", ".toml", ".txt", ""}


def python_files() -> list[Path]:
    return sorted(path for top in ("porter", "tests") for path in (ROOT / top).rglob("*.py"))


def own_text_files() -> Iterator[Path]:
    for path in sorted(ROOT.rglob("*")):
        place = path.relative_to(ROOT)
        hidden = place.parts[0].startswith(".") and place.parts[0] not in {".ci", ".gitignore"}
        if hidden or place.parts[0] in {"build", "dist"} or "__pycache__" in place.parts:
            continue
        if path.is_file() and path.suffix in TEXT_ENDINGS:
            yield path


def imported(tree: ast.AST) -> set[str]:
    """Return the top-level packages that the file imports anywhere, also inside functions."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.partition(".")[0])
    return names


def test_no_python_file_is_too_long() -> None:
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in python_files()}
    assert len(lengths) > 20
    long = {str(path): length for path, length in lengths.items() if length > LONGEST_FILE}
    assert long == {}


def test_every_module_opens_with_one_sentence() -> None:
    bad = []
    for path in python_files():
        if "cases" in path.parts or "corpus" in path.parts:
            continue
        docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        if not docstring.partition("\n\n")[0].rstrip().endswith("."):
            bad.append(str(path.relative_to(ROOT)))
    assert bad == []


def test_only_what_builds_models_imports_a_framework() -> None:
    bad = {}
    for path in sorted((ROOT / "porter").rglob("*.py")):
        place = path.relative_to(ROOT / "porter").as_posix()
        heavy = imported(ast.parse(path.read_text("utf-8"))) & HEAVY
        if heavy and not place.startswith(HEAVY_PLACES):
            bad[place] = heavy
    assert bad == {}


def test_the_runtime_imports_neither_porter_nor_torch() -> None:
    files = sorted((ROOT / "porter" / "runtime").rglob("*.py"))
    assert files
    bad = {
        path.name: found
        for path in files
        if (found := imported(ast.parse(path.read_text("utf-8"))) & {"porter", "torch"})
    }
    assert bad == {}


def mapping_files() -> list[Path]:
    return sorted((ROOT / "mappings").rglob("*.toml"))


@pytest.mark.parametrize("path", mapping_files(), ids=lambda path: path.stem)
def test_mappings_are_sorted_with_one_blank_line_between(path: Path) -> None:
    text = path.read_text("utf-8")
    tomllib.loads(text)
    headers = re.findall(r'^\["(.+)"\]$', text, re.MULTILINE)
    assert headers == sorted(headers)
    assert "\n\n\n" not in text
    crowded = re.findall(r'(?<!\n)\n(\[".+"\])$', text, re.MULTILINE)
    # A comment may stand directly above its table.
    assert [
        header for header in crowded if not re.search(rf"^#.*\n{re.escape(header)}$", text, re.M)
    ] == []


def test_the_repository_names_no_machine_and_no_package_host() -> None:
    words = re.compile(
        "|".join([r"/tm" "p/", r"/wor" "k/", r"/ro" "ot/", r"/hom" "e/", "pypi" r"\."])
    )
    found = []
    for path in own_text_files():
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if words.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    assert found == []


def test_the_version_stands_in_one_place_and_in_the_changelog() -> None:
    from porter import __version__

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" not in project["project"]
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_constraints_pin_every_direct_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    wanted = project["dependencies"] + [name for extra in extras for name in extra]
    names = {re.split(r"[<>=~!\[]", name)[0] for name in wanted}
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    assert names - pins.keys() == set()
    assert list(pins) == sorted(pins)
