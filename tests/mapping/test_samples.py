"""Run every sample of every entry in PyTorch and, ported, in MindSpore, and compare."""

from __future__ import annotations

import pytest

from porter.mapping.load import load_mappings
from porter.mapping.verify import QUICK, SampleResult, by_file, verify_entries
from porter.parity.samples import cases_of, unique_entries

MAPPING = load_mappings()
TABLES = {
    table: entries
    for table, entries in by_file(unique_entries(MAPPING)).items()
    if any(True for entry in entries for _ in cases_of(entry))
}
BY_SIZE = sorted(
    TABLES, key=lambda table: -sum(1 for entry in TABLES[table] for _ in cases_of(entry))
)


WITHOUT_GRADIENT = {"numpy.toml", "python.toml", "torch_signal.toml"}
"""Tables of which no sample has an input that a gradient is of."""


def _check(results: list[SampleResult], compared: bool = True) -> None:
    failed = [str(result) for result in results if result.code]
    proven = [result for result in results if not result.limit]
    limits = len(results) - len(proven)
    outputs = sum(result.outputs for result in proven)
    print(f"{len(results)} runs, {limits} expected failures, {outputs} outputs compared")
    assert not failed, "\n".join(failed)
    assert bool(outputs) == (compared and bool(proven)), f"{outputs} outputs compared"


def _check_quick(table: str) -> None:
    results = verify_entries(TABLES[table], MAPPING, QUICK)
    _check(results)
    assert all(result.limit or result.outputs for result in results)


class TestOneHalf:
    """The first, third, fifth table by size: classes are what two workers share the work by."""

    @pytest.mark.parametrize("table", BY_SIZE[::2])
    def test_every_sample_agrees_in_graph_and_pynative_mode(self, table: str) -> None:
        _check_quick(table)


class TestOtherHalf:
    """The second, fourth, sixth table by size."""

    @pytest.mark.parametrize("table", BY_SIZE[1::2])
    def test_every_sample_agrees_in_graph_and_pynative_mode(self, table: str) -> None:
        _check_quick(table)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_every_sample_agrees_with_dynamic_shapes(table: str) -> None:
    _check(verify_entries(TABLES[table], MAPPING, ["graph-dynamic"]))


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_every_gradient_agrees(table: str) -> None:
    _check(verify_entries(TABLES[table], MAPPING, ["gradient"]), table not in WITHOUT_GRADIENT)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_every_spelling_with_another_port_agrees(table: str) -> None:
    _check(verify_entries(TABLES[table], MAPPING, QUICK, derived=True))
