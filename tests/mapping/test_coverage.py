"""Hold the tables to the list of names that model code uses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from porter.mapping.coverage import (
    MOST_USED,
    PAGE,
    Decision,
    Target,
    current_page,
    decide,
    main,
    page,
    read_targets,
)
from porter.mapping.load import default_directory, load_mappings

MAPPING = load_mappings()
TARGETS = read_targets()
DECISIONS = [decide(target, MAPPING) for target in TARGETS]
USED = [decision for decision in DECISIONS if decision.target.files]


def test_every_name_is_listed_once_and_the_most_used_come_first() -> None:
    names = [target.name for target in TARGETS]
    assert len(names) == len(set(names))
    files = [target.files for target in TARGETS]
    assert files == sorted(files, reverse=True)


def test_the_list_holds_the_names_of_model_files() -> None:
    assert len(USED) == 539


def test_every_name_is_decided() -> None:
    assert [decision.target.name for decision in DECISIONS if not decision.kind] == []


def test_few_names_of_model_files_are_refused() -> None:
    refused = [decision.target.name for decision in USED if decision.kind == "refused"]
    assert len(refused) <= 0.05 * len(USED), refused


def test_the_most_used_names_are_not_refused() -> None:
    refused = {d.target.name for d in USED[:MOST_USED] if d.kind == "refused"}
    assert refused == set()


def test_a_name_that_is_rewritten_or_vanishes_says_into_what() -> None:
    silent = [item.target.name for item in DECISIONS if not item.becomes]
    assert silent == []


def test_the_page_is_current() -> None:
    written = (default_directory().parent / PAGE).read_text(encoding="utf-8")
    assert written == current_page(), "run python -m porter.mapping.coverage --write"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("torch.cat", "mapped"),
        ("torch.no_grad", "vanishes"),
        ("torch.Tensor.device", "mapped"),
        ("torch.autograd.Function", "mapped"),
        ("torch.nn.functional", "package"),
        ("torch.no_such_name", ""),
    ],
)
def test_a_name_is_decided_as_the_tables_say(name: str, kind: str) -> None:
    assert decide(Target(name, 0), MAPPING).kind == kind


def test_the_page_names_what_is_refused_early_and_what_is_undecided() -> None:
    refused = Decision(Target("torch.a", 3), "refused", "no way")
    text = page([refused, Decision(Target("torch.b", 1), "mapped", "`x | y`", "1 sample")])
    assert "1 are refused (50.0 %); of the 250 most used: `torch.a`." in text
    assert "| `torch.b` | 1 | mapped | `x \\| y` | 1 sample |" in text
    assert "| `torch.c` | 0 | undecided |" in page([refused, Decision(Target("torch.c", 0))])


def test_the_command_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert capsys.readouterr().out == current_page()


def test_the_page_is_made_without_the_frameworks() -> None:
    code = "import sys, porter.mapping.coverage as c; c.current_page()"
    code += "; print({'torch', 'mindspore', 'numpy'} & set(sys.modules))"
    folder = Path(__file__).resolve().parents[2]
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=folder
    )
    assert run.stdout.strip() == "set()"
