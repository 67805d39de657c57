"""Put a NaN into every float input of every entry: where it differs, the entry says so."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from porter.mapping.load import load_mappings
from porter.mapping.verify import by_file
from porter.parity.samples import unique_entries
from tests.mapping.nans import samples_with_nan
from tests.mapping.sweeping import sweep

MAPPING = load_mappings()
TABLES = by_file(unique_entries(MAPPING))


def test_the_nan_stands_in_the_middle_of_one_input_at_a_time() -> None:
    texts = [sample.call for sample in samples_with_nan(MAPPING.entries["torch.maximum"])]
    assert len(texts) == 2
    assert all(text.count("nan") == 1 for text in texts)
    assert not any(text.startswith("f32([[nan") for text in texts)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_nan_comes_out_as_in_torch_or_the_entry_says_so(
    table: str, record_property: Callable[[str, object], None]
) -> None:
    samples = {entry.name: samples_with_nan(entry) for entry in TABLES[table]}
    samples = {name: found for name, found in samples.items() if found}
    result = sweep(MAPPING, samples)
    record_property("rate", f"nan in {table}: {result}")
    said = {name for name in samples if MAPPING.entries[name].nan_differs}
    unsaid = {name: texts for name, texts in result.different.items() if name not in said}
    assert not unsaid, "\n".join(text for texts in unsaid.values() for text in texts)
    assert said <= set(result.different), "NaN goes through as in torch: remove nan_differs"
