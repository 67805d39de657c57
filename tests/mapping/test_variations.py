"""Vary the samples of every entry and see that the port is equal, or says that it is not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from porter.mapping.load import load_mappings
from porter.mapping.verify import by_file, verify_entries
from porter.parity.samples import unique_entries
from tests.mapping.sweeping import known_differences, sweep
from tests.mapping.variations import varied_samples

MAPPING = load_mappings()
TABLES = by_file(unique_entries(MAPPING))
COUNT = 4
NARROW = """
["torch.cumsum"]
signature = "(input, dim)"
emit = "ops.cumsum({input}, 1)"
difference = "names"
samples = ["f32[2,3], 1"]
"""


def test_variations_are_the_same_in_every_run() -> None:
    entry = MAPPING.entries["torch.cat"]
    first = varied_samples(entry, COUNT)
    assert len(first) == COUNT
    assert first == varied_samples(entry, COUNT)


def test_variations_reach_other_shapes_dtypes_and_spellings() -> None:
    texts = [sample.call for sample in varied_samples(MAPPING.entries["torch.sum"], 12)]
    assert len({text.partition("[")[0] for text in texts}) > 2
    assert any("dim=" in text for text in texts)
    assert any("f32[2, " in text for text in texts)


def test_variations_of_a_module_change_its_constructor_and_its_call() -> None:
    samples = varied_samples(MAPPING.entries["torch.nn.Conv2d"], 12)
    assert len({sample.init for sample in samples}) > 3
    assert len({sample.call for sample in samples}) > 3


def test_an_entry_that_is_right_for_its_sample_alone_is_found(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text(NARROW)
    mapping = load_mappings(tmp_path)
    entry = mapping.entries["torch.cumsum"]
    (holds,) = verify_entries([entry], mapping, ["graph"], mappings_directory=tmp_path)
    assert not holds.code
    result = sweep(mapping, {"torch.cumsum": varied_samples(entry, 24)}, tmp_path)
    assert "torch.cumsum" in result.different
    assert result.equal


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_every_variation_is_equal_or_said_not_to_be(
    table: str, record_property: Callable[[str, object], None]
) -> None:
    samples = {entry.name: varied_samples(entry, COUNT) for entry in TABLES[table]}
    samples = {name: found for name, found in samples.items() if found}
    result = sweep(MAPPING, samples)
    record_property("rate", f"variations of {table}: {result}")
    known = {n: why for n, why in known_differences("variations").items() if n in samples}
    unknown = {name: texts for name, texts in result.different.items() if name not in known}
    assert not unknown, "\n".join(text for texts in unknown.values() for text in texts)
    certain = known_differences("variations", certain=True).keys() & samples.keys()
    assert certain <= set(result.different), "a known difference is gone: remove it"
