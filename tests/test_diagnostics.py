"""Hold the pages to the registry, and every example to what porter does with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from porter.diagnostics.codes import CODES, Code, find_code, page
from porter.port import port_source
from porter.types import PorterError
from tests.support_cases import CLASS

PAGES = Path(__file__).parent.parent / "porter" / "diagnostics" / "pages"
HEADINGS = ["What it finds", "Why it matters", "Example", "What to check"]
EXAMPLE = re.compile(r"```python (?P<kind>in|out)\n(?P<text>.*?)```", re.DOTALL)


def examples(code: Code) -> dict[str, str]:
    return {match["kind"]: match["text"] for match in EXAMPLE.finditer(page(code))}


# Planned, and given by no stage yet. A test fails on the day that one is: the list only shrinks.
with_example = [
    pytest.param(code, id=code.code) for code in CODES.values() if "in" in examples(code)
]


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert sorted(path.stem for path in PAGES.iterdir()) == sorted(CODES)


def test_names_are_unique_and_kebab_case() -> None:
    names = [code.name for code in CODES.values()]
    assert len(set(names)) == len(names)
    assert [name for name in names if not re.fullmatch(r"[a-z]+(-[a-z]+)*", name)] == []


def test_codes_are_in_order() -> None:
    assert list(CODES) == sorted(CODES)


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.code)
def test_page_has_title_status_and_headings(code: Code) -> None:
    lines = page(code).splitlines()
    assert lines[0] == f"# {code.name} ({code.code})"
    assert lines[2] == f"Since {code.since} · {code.applicability} · {code.severity}"
    assert [line[3:] for line in lines if line.startswith("## ")] == HEADINGS
    sections = re.split(r"^## .*$", page(code), flags=re.MULTILINE)[1:]
    assert [section for section in sections if not section.strip()] == []


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.code)
def test_page_shows_its_code_in_the_example(code: Code) -> None:
    example = page(code).split("## Example")[1].split("## What to check")[0]
    assert "in" in examples(code) or code.code in example


@pytest.mark.parametrize("code", with_example)
def test_porting_the_example_gives_the_code(code: Code, tmp_path: Path) -> None:
    example = examples(code)
    source = tmp_path / "model.py"
    source.write_text(example["in"], encoding="utf-8")
    codes, text = port(source)
    assert code.code in codes
    assert example.get("out", "") in text


def port(source: Path) -> tuple[set[str], str]:
    """Return the codes that porting gives, and the ported text, empty where porter stops."""
    try:
        wanted = CLASS.search(source.read_text(encoding="utf-8"))
        result = port_source(f"{source}:{wanted.group(1)}" if wanted else str(source))
    except PorterError as error:
        return {error.code}, ""
    [text] = [file.text for file in result.files if file.path.name == source.name]
    return {finding.code for finding in result.findings}, text


@pytest.mark.parametrize("text", ["PRT203", "prt203", "203", "in-place-rewritten", " PRT203 "])
def test_a_code_is_found_by_number_and_name(text: str) -> None:
    assert find_code(text).code == "PRT203"


@pytest.mark.parametrize("text", ["PRT999", "", "inplace", "PRT2"])
def test_an_unknown_code_is_refused(text: str) -> None:
    with pytest.raises(PorterError) as caught:
        find_code(text)
    assert (caught.value.code, caught.value.exit_code) == ("PRT703", 2)


def test_every_code_is_given_somewhere_and_every_given_code_is_registered() -> None:
    root = PAGES.parent.parent
    files = [path for path in root.rglob("*.py") if path.parent != PAGES.parent]
    files += (root.parent / "mappings").rglob("*.toml")
    given = {
        code for path in files for code in re.findall(r'"(PRT\d{3})"', path.read_text("utf-8"))
    }
    assert given - CODES.keys() == set()
    assert CODES.keys() == given
