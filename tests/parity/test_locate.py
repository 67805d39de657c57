"""Plant faults in a Q-Former of four layers, and ask for the module that has them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mindspore as ms
import pytest

from porter.emit.write import write_port
from porter.parity.calltree import load_calls
from porter.parity.candidate import Candidate
from porter.parity.folder import Job, WorkFolder, float64_of
from porter.parity.inputs import make_inputs, save_inputs
from porter.parity.locate import ModuleComparison
from porter.parity.reference import Reference
from porter.parity.results import Location
from porter.port import port_source
from porter.recipe import parse_recipe
from tests.parity.faults import FAULTS, Fault, draw, plant

HERE = Path(__file__).parent
DEPTH = 4
CASE = "image"


class Bench:
    """One recorded PyTorch model, and its port to plant faults in."""

    def __init__(self, folder: Path) -> None:
        source = HERE / "qformer_source.py"
        document = {
            "source": {"file": str(source), "class": "QFormer"},
            "build": {"args": [32, 4, 24, 6, DEPTH]},
            "cases": [
                {
                    "name": CASE,
                    "inputs": {"image": {"randn": [3, 8, 24]}, "mask": {"mask": [3, 8]}},
                    "positional": ["image", "mask"],
                }
            ],
        }
        self.recipe = parse_recipe(document, folder / "recipe.toml")
        self.work = WorkFolder(folder)
        port = write_port(port_source(self.recipe.source.reference), folder / "port")
        self.port_file = port / "qformer_source.py"
        case = self.recipe.cases[0]
        for path in (self.work.inputs(CASE, 0), self.work.torch_inputs(CASE, 0)):
            save_inputs(path, make_inputs(case.variants[0], 0))
        reference = Reference(self.work, self.recipe)
        reference.build()
        reference.case(CASE, 0)
        assert reference.record(CASE) == {"float64": ""}
        job = Job(self.recipe, port, None, folder / "weights.safetensors", True)
        self.candidate = Candidate(self.work, job)
        self.candidate.weights()
        self.whole_cell = self.candidate.loaded_cell

    def locate(self, mode: str, fault: Fault | None, place: str, number: int) -> Location | None:
        def loaded() -> Any:
            cell = self.whole_cell()
            if fault is not None:
                plant(cell, fault, place, self.port_file, number)
            return cell

        call_of = self.candidate.call_of

        def call_with_fault(task: Any) -> Any:
            call = call_of(task)
            if fault is not None:  # building a call switches the whole model to evaluation mode
                plant_training(call.cell, fault, place)
            return call

        self.candidate.loaded_cell = loaded  # type: ignore[method-assign]
        self.candidate.call_of = call_with_fault  # type: ignore[method-assign]
        try:
            self.candidate.record(CASE, "pynative")
            if mode == "graph":
                self.candidate.record(CASE, "graph")
        finally:
            self.candidate.call_of = call_of  # type: ignore[method-assign]
            ms.set_context(mode=ms.PYNATIVE_MODE)
        path = self.work.record("torch", CASE)
        comparison = ModuleComparison(
            load_calls(path),
            load_calls(float64_of(path)),
            load_calls(self.work.record(mode, CASE)),
            self.recipe.verify,
        )
        return comparison.locate(CASE, mode)


def plant_training(network: Any, fault: Fault, place: str) -> None:
    if fault.kind == "left in training mode":
        fault.plant(dict(network.cells_and_names())[place], "")


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    yield Bench(tmp_path_factory.mktemp("locate"))
    ms.set_context(mode=ms.GRAPH_MODE)


def misses(bench: Bench, mode: str, faults: list[tuple[Fault, str]]) -> list[str]:
    """Return the faults that were not located, with what was said instead."""
    missed = []
    for number, (fault, place) in enumerate(faults):
        found = bench.locate(mode, fault, place, number)
        if found is None or found.path != place:
            missed.append(f"{fault.kind} in {place}: {found.path if found else 'nothing'}")
    return missed


def test_there_are_kinds_enough() -> None:
    assert len({fault.kind for fault in FAULTS}) == len(FAULTS) >= 20


@pytest.mark.parametrize("mode", ["pynative", "graph"])
def test_a_right_port_has_no_fault(bench: Bench, mode: str) -> None:
    assert bench.locate(mode, None, "", 0) is None


def test_each_kind_of_fault_is_located(bench: Bench) -> None:
    assert misses(bench, "pynative", draw(len(FAULTS), DEPTH, seed=1)) == []


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "seed"), [("pynative", 2), ("graph", 3)])
def test_ninety_five_of_a_hundred_faults_are_located(bench: Bench, mode: str, seed: int) -> None:
    missed = misses(bench, mode, draw(100, DEPTH, seed))
    assert len(missed) <= 5, missed


def test_a_fault_in_the_graph_is_located(bench: Bench) -> None:
    kinds = {fault.kind: fault for fault in FAULTS}
    chosen = [
        (kinds["dropped scale"], "layers.2.own.attention"),
        (kinds["missing residual"], "layers.1.cross.output"),
        (kinds["transposed weight"], "layers.3.own.output.dense"),
        (kinds["tanh GELU for erf"], "layers.0.feed_forward.activation"),
    ]
    assert misses(bench, "graph", chosen) == []


def test_the_lines_of_both_sides_are_named(bench: Bench) -> None:
    kinds = {fault.kind: fault for fault in FAULTS}
    found = bench.locate("pynative", kinds["mask ignored"], "layers.2.cross.attention", 500)
    assert found is not None
    assert found.class_name == "Attention"
    assert (found.after, found.before) == ("layers.2.cross.attention.value", "")
    assert found.port is not None
    assert found.port.text == "value = self.split(self.value(source))"
    assert found.source is not None
    assert found.source.path == str(HERE / "qformer_source.py")
    assert found.source.text == "value = self.split(self.value(source))"
