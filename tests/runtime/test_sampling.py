"""Compare the probabilities that tokens are drawn by with those of transformers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from transformers.generation import logits_process

from porter.runtime.sampling import choose, probabilities

LOGITS = np.random.default_rng(0).normal(0.0, 3.0, (4, 50)).astype(np.float32)
TIED = np.array([[2.0, 1.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0]], np.float32)
OPTIONS: list[dict[str, Any]] = [
    {},
    {"temperature": 0.7},
    {"temperature": 2.5},
    {"top_k": 5},
    {"top_k": 1},
    {"top_k": 100},
    {"top_p": 0.9},
    {"top_p": 0.3},
    {"top_p": 0.001},
    {"top_p": 1.0},
    {"temperature": 1.7, "top_k": 12, "top_p": 0.8},
]


def expected(logits: Any, temperature: float = 1.0, top_k: int = 0, top_p: float = 1.0) -> Any:
    scores = torch.from_numpy(logits).double()
    ids = torch.zeros((len(logits), 1), dtype=torch.long)
    scores = logits_process.TemperatureLogitsWarper(temperature)(ids, scores)
    if top_k:
        scores = logits_process.TopKLogitsWarper(top_k)(ids, scores)
    if top_p < 1:
        scores = logits_process.TopPLogitsWarper(top_p)(ids, scores)
    return scores.softmax(-1).numpy()


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_probabilities_are_those_of_transformers(options: dict[str, Any]) -> None:
    found = probabilities(LOGITS, **options)
    wanted = expected(LOGITS, **options)
    np.testing.assert_array_equal(found > 0, wanted > 0)
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=0.0)


@pytest.mark.parametrize("options", [{"top_k": 2}, {"top_k": 4}], ids=str)
def test_equal_logits_stay_together(options: dict[str, Any]) -> None:
    np.testing.assert_allclose(
        probabilities(TIED, **options), expected(TIED, **options), rtol=1e-12, atol=0.0
    )


def test_draws_follow_the_probabilities() -> None:
    draws = 20_000
    options: dict[str, Any] = {"temperature": 1.3, "top_k": 6}
    rows = np.repeat(LOGITS[:1], draws, axis=0)
    counts = np.bincount(choose(rows, np.random.default_rng(0), **options), minlength=50)
    wanted = probabilities(LOGITS[:1], **options)[0]
    assert not counts[wanted == 0].any()
    kept = wanted > 0
    chi = ((counts - draws * wanted)[kept] ** 2 / (draws * wanted[kept])).sum()
    assert chi < 20.5  # five degrees of freedom: one in a thousand is above


def test_a_seed_gives_the_same_draws() -> None:
    first, again, other = (choose(LOGITS, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first.tolist() == again.tolist()
    assert first.tolist() != other.tolist()


def test_without_a_generator_the_likeliest_token_is_taken() -> None:
    assert choose(LOGITS, None).tolist() == torch.from_numpy(LOGITS).argmax(-1).tolist()
    assert choose(TIED[1:], None).tolist() == [0]


@pytest.mark.parametrize(
    "options",
    [{"temperature": 0.0}, {"temperature": -1.0}, {"top_k": 0}, {"top_p": 0.0}, {"top_p": 1.5}],
    ids=str,
)
def test_what_has_no_meaning_is_refused(options: dict[str, Any]) -> None:
    name = next(iter(options))
    with pytest.raises(ValueError, match=f"{name} is"):
        probabilities(LOGITS, **options)


@pytest.mark.parametrize("random", [None, np.random.default_rng(0)])
def test_logits_that_are_nan_are_refused(random: Any) -> None:
    with pytest.raises(ValueError, match="nan"):
        choose(np.array([[1.0, np.nan]], np.float32), random)
