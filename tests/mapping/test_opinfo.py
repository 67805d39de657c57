"""Run the samples that PyTorch ships for its own tests, and print how many are equal."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from porter.mapping.load import Mapping, load_mappings
from porter.mapping.schema import Sample
from tests.mapping.opinfo import samples_of_modules, samples_of_operators
from tests.mapping.sweeping import known_differences, sweep

MAPPING = load_mappings()


@pytest.mark.sweep
@pytest.mark.parametrize("source", [samples_of_operators, samples_of_modules])
def test_samples_of_pytorch_are_equal_or_said_not_to_be(
    source: Callable[[Mapping], dict[str, list[Sample]]],
    record_property: Callable[[str, object], None],
) -> None:
    samples = source(MAPPING)
    result = sweep(MAPPING, samples)
    record_property("rate", f"{source.__name__}: {result}")
    known = {n: why for n, why in known_differences("pytorch").items() if n in samples}
    unknown = {name: texts for name, texts in result.different.items() if name not in known}
    assert not unknown, "\n".join(text for texts in unknown.values() for text in texts)
    certain = known_differences("pytorch", certain=True).keys() & samples.keys()
    assert certain <= set(result.different), "a known difference is gone: remove it"
