"""Port plain scripts, run original and port, and compare every variable of their top level."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest

from porter.mapping.load import load_mappings
from tests.scripts.generated import docstring_scripts, sample_scripts
from tests.scripts.harness import (
    DIFFERENT,
    EQUAL,
    FAILS,
    FINDING,
    UNCOUNTED,
    Result,
    rates,
    run_scripts,
)

CORPUS = Path(__file__).resolve().parent / "corpus"
REFUSED = "# refused: "
"""The first line of a script that is to have a finding names its code."""


@pytest.fixture(scope="module")
def corpus() -> dict[str, tuple[str, Result]]:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(CORPUS.glob("*.py"))}
    results = run_scripts(texts)
    return {name: (texts[name], result) for name, result in results.items()}


def test_scripts_give_the_same_values(corpus: dict[str, tuple[str, Result]]) -> None:
    wrong = [
        f"{name}: {result.outcome}: {result.message}"
        for name, (text, result) in corpus.items()
        if not text.startswith(REFUSED) and result.outcome != EQUAL
    ]
    assert not wrong, "\n".join(wrong)


def test_scripts_that_cannot_be_carried_over_have_a_finding(
    corpus: dict[str, tuple[str, Result]],
) -> None:
    refused = {name: item for name, item in corpus.items() if item[0].startswith(REFUSED)}
    wrong = [
        f"{name}: {result.outcome}: {result.message}"
        for name, (text, result) in refused.items()
        if result.outcome != FINDING
        or not result.message.startswith(text.removeprefix(REFUSED).split()[0])
    ]
    assert refused
    assert not wrong, "\n".join(wrong)


MINDSPORE_HERE = "3 if 'mindspore' in sys.modules else 4"


def test_a_difference_is_seen() -> None:
    text = "import torch\nresult = {}\n"
    results = run_scripts(
        {
            "value": f"import sys\n{text.format(MINDSPORE_HERE)}",
            "error": "import sys\nif 'mindspore' in sys.modules:\n    raise ValueError('no')\n",
            "broken": "raise ValueError('torch, too')\n",
            "same": text.format("torch.tensor([1.0]).sum()"),
        }
    )
    outcomes = {name: result.outcome for name, result in results.items()}
    assert outcomes["error"] == FAILS
    assert outcomes["broken"] == UNCOUNTED
    assert outcomes["same"] == EQUAL
    assert outcomes["value"] == DIFFERENT


KNOWN = {
    "torch_aminmax": "extremes pass over NaN",
    "torch_cholesky_inverse": "no kernel for complex numbers",
    "torch_cholesky_solve": "no kernel for complex numbers",
    "torch_linalg_matrix_rank": "no tril of complex numbers",
    "torch_linalg_pinv": "no tril of complex numbers",
    "torch_masked_select": "the length depends on random numbers",
}
"""Examples of docstrings that are wrong without a finding, and why: gaps that are to be closed."""


def _check(results: dict[str, Result], share: float, known: Collection[str] = ()) -> None:
    print(rates(results.values()))
    wrong = [
        f"{name}: {result.outcome}: {result.message}"
        for name, result in results.items()
        if result.outcome in (DIFFERENT, FAILS) and name not in known
    ]
    gone = [name for name in known if results[name].outcome == EQUAL]
    assert not gone, f"no longer wrong: {gone}"
    equal = sum(result.outcome == EQUAL for result in results.values())
    counted = sum(result.outcome != UNCOUNTED for result in results.values())
    assert not wrong, "\n".join(wrong)
    assert equal / counted > share


@pytest.mark.sweep
def test_examples_of_docstrings_give_the_same_values() -> None:
    _check(run_scripts(docstring_scripts()), 0.7, KNOWN)


@pytest.mark.sweep
def test_samples_as_scripts_give_the_same_values() -> None:
    _check(run_scripts(sample_scripts(load_mappings())), 0.97)
