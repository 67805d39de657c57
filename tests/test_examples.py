"""Run the recipes from source to verdict, and hold what they emit to what it promises."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from porter.port import port_source
from porter.recipe import load_recipe
from porter.run import run_recipe
from porter.source.read import find_module
from porter.types import Applicability, PortResult, Severity

MODULE = "transformers.models.blip_2.modeling_blip_2"
RETRIEVAL = Path("examples/blip_qformer/retrieval")
TRAINING = Path("examples/blip_qformer/training")
RECIPES = (
    RETRIEVAL / "recipe.toml",
    RETRIEVAL / "recipe_numpy.toml",
    Path("tests/recipes/qformer_small.toml"),
    Path("tests/recipes/vision_small.toml"),
)


@pytest.fixture(scope="module")
def qformer() -> PortResult:
    return port_source(f"{MODULE}:Blip2QFormerModel")


@pytest.fixture(scope="module")
def whole() -> PortResult:
    return port_source(MODULE)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_recipe_holds_in_every_mode(recipe: Path, repository: Path, in_folder: Path) -> None:
    report = run_recipe(load_recipe(str(repository / recipe)), in_folder / "port")
    assert [str(finding) for finding in report.parity.findings] == []
    assert report.passed
    modes = {(run.mode, run.syntax, run.shapes) for run in report.parity.runs}
    assert {
        ("graph", "STRICT", "static"),
        ("graph", "STRICT", "dynamic"),
        ("graph", "LAX", "static"),
        ("graph", "LAX", "dynamic"),
    } <= modes
    assert report.parity.gradients


@pytest.mark.slow
def test_the_training_example_gives_the_losses_of_torch(repository: Path, in_folder: Path) -> None:
    recipe = load_recipe(str(repository / TRAINING / "recipe.toml"))
    report = run_recipe(recipe, in_folder / "port")
    assert [str(finding) for finding in report.parity.findings] == []
    (run,) = report.parity.losses
    assert len(run.torch) == len(run.port) == 50
    assert run.largest is not None
    assert run.largest < 1e-3
    assert sum(run.torch[-5:]) < sum(run.torch[:5]) / 2


def test_the_committed_port_is_what_porter_writes(repository: Path) -> None:
    result = port_source(str(repository / RETRIEVAL / "model.py"))
    committed = repository / RETRIEVAL / "ported"
    for file in result.files:
        assert (committed / file.path).read_text("utf-8") == file.text, file.path
    names = {path.relative_to(committed) for path in committed.rglob("*.py")}
    assert names == {file.path for file in result.files}


def test_the_mask_becomes_a_graph_operator(repository: Path) -> None:
    text = port_source(str(repository / RETRIEVAL / "model.py")).files[0].text
    assert "image_mask = ops.ones((batch, length), dtype=ms.float64)" in text
    assert "image_mask = ops.ones(image_embeds.shape[:-1], dtype=ms.int64)" in text
    assert "numpy" not in {name.split(".")[0] for name in _imported(text)}


def _imported(text: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module or "")
    return names


def test_the_emitted_q_former_is_clean_and_imports_no_torch(
    qformer: PortResult, tmp_path: Path
) -> None:
    assert [finding for finding in qformer.findings if finding.severity is Severity.ERROR] == []
    for file in qformer.files:
        roots = {name.split(".")[0] for name in _imported(file.text)}
        assert not roots & {"torch", "porter", "numpy"}, file.path
        (tmp_path / file.path.name).write_text(file.text, encoding="utf-8")
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_emitted_q_former_holds_what_it_reaches_and_no_more(qformer: PortResult) -> None:
    text = qformer.files[0].text
    classes = re.findall(r"^class (\w+)", text, re.MULTILINE)
    assert "Blip2QFormerLayer" in classes
    assert "Blip2VisionModel" not in classes
    assert 'encoder_outputs["last_hidden_state"]' in text
    assert "# as a positional argument for gradient checkpointing" in text


def test_a_whole_file_is_ported_and_the_rest_is_listed(whole: PortResult) -> None:
    lines = len(find_module(MODULE).text.splitlines())
    assert whole.counts.applied > 0.95 * whole.counts.total > 400
    manual = [f for f in whole.findings if f.applicability is Applicability.MANUAL]
    assert manual
    assert {finding.position.path for finding in manual} == {find_module(MODULE).display}
    assert all(1 < finding.position.line <= lines and finding.message for finding in manual)
    ast.parse(whole.files[0].text)


@pytest.mark.slow
def test_captions_are_those_of_torch(repository: Path, in_folder: Path) -> None:
    script = repository / "examples" / "blip_qformer" / "captioning" / "caption.py"
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=in_folder,
        env={**os.environ, "PYTHONPATH": str(repository)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "all equal to torch's" in done.stdout
    assert "1 for the prompt, 1 for all steps" in done.stdout
