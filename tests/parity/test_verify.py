"""Spoil a port in one way at a time and expect the one code that says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

from porter.parity.results import ParityReport
from porter.parity.verify import verify
from porter.recipe import Recipe
from porter.types import PorterError
from tests.parity.conftest import HERE, MAPPINGS

QUICK: dict[str, Any] = {
    "modes": ["graph"],
    "syntax": ["STRICT"],
    "shapes": ["static"],
    "gradients": False,
    "export": False,
}
NORM = "nn.LayerNorm((sizes.hidden,), epsilon=1e-3)"
LAST = "return h, h.mean(axis=1)"
GRAPH_ALONE = """
class Last(nn.Cell):
    def construct(self, h):
        return h.mean(axis=1).transpose(0, 1).T
"""


def codes(report: ParityReport) -> set[str]:
    assert not report.passed
    return {finding.code for finding in report.findings}


def test_a_right_port_holds_in_every_mode(
    make_recipe: Callable[..., Recipe], make_port: Callable[..., Path]
) -> None:
    report = verify(make_recipe(), make_port(), mappings_directory=MAPPINGS)
    assert report.findings == ()
    assert report.passed
    assert [run.label for run in report.runs] == [
        "graph STRICT static",
        "graph STRICT dynamic",
        "graph LAX static",
        "graph LAX dynamic",
        "pynative",
        "export",
    ]
    assert report.compared == 2 + 4 + 2 + 4 + 4 + 2
    assert [run.compilations for run in report.runs] == [1, 1, 1, 1, None, None]
    assert report.largest_difference is not None
    assert report.largest_difference < 2e-6
    dynamic = report.runs[1].variants[1].outputs
    assert [row.shape for row in dynamic] == [(3, 5, 6), (3, 6)]
    assert all(row.torch_error is not None for row in dynamic)
    gradients, step = report.gradients
    names = {"project.weight", "project.bias", "norm.gamma", "norm.beta", "input x"}
    assert {row.name for row in gradients.rows} == names
    assert {row.name for row in step.rows} == names - {"input x"}
    assert [(side.name, side.seconds > 0) for side in report.sides] == [
        ("torch", True),
        ("mindspore", True),
    ]
    assert min(side.peak_bytes for side in report.sides) > 100e6


def test_a_call_by_position_alone_leaves_the_rest_at_its_default(
    make_recipe: Callable[..., Recipe], make_port: Callable[..., Path]
) -> None:
    cases = [{"name": "x", "inputs": {"x": {"randn": [2, 5, 4]}}, "positional": ["x"]}]
    alone = {"modes": ["graph"], "shapes": ["dynamic"], "gradients": False, "training": False}
    recipe = make_recipe(cases, **alone, export=False)
    report = verify(recipe, make_port(), mappings_directory=MAPPINGS)
    assert report.findings == ()
    assert [run.compilations for run in report.runs] == [1, 1]


@pytest.mark.usefixtures("shared_reference")
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param("epsilon=1e-3", "epsilon=1e-5", {"PRT603"}, id="wrong-epsilon"),
        pytest.param("h.mean(axis=1)", "h.mean(axis=2)", {"PRT601"}, id="wrong-axis"),
        pytest.param("if mask is not None", "if mask is None", {"PRT603"}, id="mask-ignored"),
        pytest.param(LAST, "return (h,)", {"PRT612"}, id="dropped-output"),
        pytest.param(LAST, "return h, None", {"PRT612"}, id="none-output"),
        pytest.param(LAST, LAST + ", h", {"PRT612"}, id="added-output"),
        pytest.param(LAST, LAST + ".astype(ms.float16)", {"PRT602"}, id="wrong-dtype"),
        pytest.param(LAST, "raise ValueError('no')", {"PRT606"}, id="raises"),
        pytest.param(LAST, "return h, h.no_such_method()", {"PRT606"}, id="does-not-compile"),
        pytest.param(NORM, "None; raise ValueError('no')", {"PRT704"}, id="cannot-be-built"),
        pytest.param("(features, sizes", "(9, sizes", {"PRT503"}, id="wrong-shape-of-weights"),
        pytest.param(
            "from mindspore import", "import torch\nfrom mindspore import", {"PRT705"}, id="torch"
        ),
    ],
)
def test_a_spoiled_port_is_found(
    make_recipe: Callable[..., Recipe],
    make_port: Callable[..., Path],
    old: str,
    new: str,
    expected: set[str],
) -> None:
    report = verify(make_recipe(**QUICK), make_port((old, new)), mappings_directory=MAPPINGS)
    assert codes(report) == expected


@pytest.mark.usefixtures("shared_reference")
def test_a_part_without_weights_is_found(
    make_recipe: Callable[..., Recipe], make_port: Callable[..., Path]
) -> None:
    port = make_port((NORM, NORM + "\n        self.other = nn.Dense(2, 3)"))
    report = verify(make_recipe(**QUICK), port, mappings_directory=MAPPINGS)
    assert codes(report) == {"PRT502"}


@pytest.mark.usefixtures("shared_reference")
def test_a_crash_is_a_finding_and_the_other_runs_go_on(
    make_recipe: Callable[..., Recipe], make_port: Callable[..., Path]
) -> None:
    crash = "os.kill(os.getpid(), 11) if ms.get_context('mode') == 0 else None"
    call = (
        f"def __call__(self, *a, **k):\n        {crash}\n        return super().__call__(*a, **k)"
    )
    port = make_port(
        ("import mindspore as ms", "import os\n\nimport mindspore as ms"),
        ("def construct(self", f"{call}\n\n    def construct(self"),
    )
    settings = {**QUICK, "modes": ["graph", "pynative"]}
    report = verify(make_recipe(**settings), port, mappings_directory=MAPPINGS)
    assert [run.code for run in report.runs] == ["PRT608", ""]
    assert "SIGSEGV" in report.runs[0].message
    assert codes(report) == {"PRT608"}


@pytest.mark.usefixtures("shared_reference")
def test_a_hang_is_a_finding(
    make_recipe: Callable[..., Recipe], make_port: Callable[..., Path]
) -> None:
    port = make_port(
        (NORM, NORM + "\n        time.sleep(600)"),
        ("import mindspore as ms", "import time\n\nimport mindspore as ms"),
    )
    report = verify(make_recipe(**QUICK, time_limit=15), port, mappings_directory=MAPPINGS)
    assert codes(report) == {"PRT608"}
    assert "within 15 seconds" in report.findings[0].message


@pytest.mark.usefixtures("shared_reference")
def test_a_frozen_parameter_has_no_gradient(
    make_recipe: Callable[..., Recipe], make_port: Callable[..., Path]
) -> None:
    port = make_port((NORM, NORM + "\n        self.norm.beta.requires_grad = False"))
    settings = {**QUICK, "gradients": True}
    report = verify(make_recipe(**settings), port, mappings_directory=MAPPINGS)
    assert codes(report) == {"PRT610"}
    assert [row.name for row in report.gradients[0].rows if row.code] == ["norm.beta"]


@pytest.mark.usefixtures("shared_reference")
def test_a_stopped_gradient_is_found(
    make_recipe: Callable[..., Recipe], make_port: Callable[..., Path]
) -> None:
    port = make_port(
        ("self.norm(self.project(x))", "self.norm(ops.stop_gradient(self.project(x)))")
    )
    settings = {**QUICK, "gradients": True}
    report = verify(make_recipe(**settings), port, mappings_directory=MAPPINGS)
    assert codes(report) == {"PRT610"}
    assert [run.code for run in report.runs] == [""]
    bad = [row.name for row in report.gradients[0].rows if row.code]
    assert sorted(bad) == ["input x", "project.bias", "project.weight"]


@pytest.mark.usefixtures("shared_reference")
def test_a_graph_that_differs_from_pynative_is_found(
    make_recipe: Callable[..., Recipe], make_port: Callable[..., Path]
) -> None:
    # The trap itself: two axes in PYNATIVE, a whole permutation in GRAPH_MODE.
    port = make_port(
        ("return h, h.mean(axis=1)", "return h, h.mean(axis=1).transpose(0, 1).T"),
    )
    settings = {**QUICK, "modes": ["graph", "pynative"]}
    report = verify(make_recipe(**settings), port, mappings_directory=MAPPINGS)
    assert codes(report) == {"PRT601", "PRT604"}


def test_a_source_that_fails_is_a_finding(
    make_recipe: Callable[..., Recipe], make_port: Callable[..., Path]
) -> None:
    cases = [{"name": "narrow", "inputs": {"x": {"randn": [2, 5, 3]}}}]
    report = verify(make_recipe(cases, **QUICK), make_port(), mappings_directory=MAPPINGS)
    assert codes(report) == {"PRT609"}
    assert report.compared == 0


def test_wrong_usage_is_refused(
    make_recipe: Callable[..., Recipe], make_port: Callable[..., Path], tmp_path: Path
) -> None:
    with pytest.raises(PorterError, match="no case other") as error:
        verify(make_recipe(), make_port(), cases=["other"])
    assert error.value.code == "PRT703"
    with pytest.raises(PorterError, match=r"port\.json"):
        verify(make_recipe(), tmp_path)
    with pytest.raises(PorterError, match="not empty"):
        verify(make_recipe(), tmp_path, work=tmp_path)


def test_a_method_is_compared_in_the_graph_too(
    make_recipe: Callable[..., Recipe], make_port: Callable[..., Path]
) -> None:
    cases = [{"inputs": {"x": {"randn": [2, 5, 4]}}}]
    settings: dict[str, Any] = {"method": "pool", "syntax": ["STRICT"], "export": False}
    report = verify(make_recipe(cases, **settings), make_port(), mappings_directory=MAPPINGS)
    assert report.findings == ()
    assert [run.label for run in report.runs] == [
        "graph STRICT static",
        "graph STRICT dynamic",
        "pynative",
    ]
    assert {row.name for run in report.runs for row in run.variants[0].outputs} == {"pooled"}


@pytest.mark.usefixtures("shared_reference")
def test_converted_weights_are_used_as_they_are(
    make_recipe: Callable[..., Recipe], make_port: Callable[..., Path], tmp_path: Path
) -> None:
    port, weights = make_port(), tmp_path / "weights.safetensors"
    recipe = make_recipe(**QUICK)
    first = verify(recipe, port, weights_output=weights, mappings_directory=MAPPINGS)
    assert first.passed
    tensors = load_file(weights)
    tensors["norm.beta"] = tensors["norm.beta"] + np.float32(0.01)
    save_file(tensors, weights)
    second = verify(recipe, port, weights=weights, mappings_directory=MAPPINGS)
    assert codes(second) == {"PRT603"}


def test_a_named_output_is_compared_by_name(
    make_recipe: Callable[..., Recipe], make_port: Callable[..., Path]
) -> None:
    x = {"randn": [2, 5, 4]}
    cases = [
        {"name": "one", "inputs": {"x": x}},
        {"name": "two", "inputs": {"x": x, "want": {"value": True}}},
    ]
    changes = {"source": {"file": "tiny_source.py", "class": "Named"}, "build": {"args": [4]}}
    recipe = make_recipe(cases, changes)
    report = verify(recipe, make_port(text_file="tiny_named_port.py"))
    assert report.findings == ()
    assert report.compared == (1 + 2) * (1 + 2 + 1 + 2 + 2 + 1)
    named = [
        {row.name for row in run.variants[0].outputs} for run in report.runs if run.case == "two"
    ]
    assert named == [{"hidden", "pooled"}] * 6


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_checkpoint_reaches_both_sides(
    make_recipe: Callable[..., Recipe],
    make_port: Callable[..., Path],
    tmp_path: Path,
    dtype: torch.dtype,
) -> None:
    random = torch.Generator().manual_seed(1)
    shapes = {"project.weight": (3, 4), "project.bias": (3,), "project.old": (1,)}
    state = {f"model.{name}": torch.randn(s, generator=random) for name, s in shapes.items()}
    state["other.weight"] = torch.zeros(2)
    path = tmp_path / "model.pt"
    torch.save({name: value.to(dtype) for name, value in state.items()}, path)
    changes: dict[str, Any] = {
        "source": {"file": "tiny_source.py", "class": "Named"},
        "build": {"args": [4]},
        "weights": {"checkpoint": str(path), "prefix": "model.", "ignore": ["project[.]old"]},
    }
    cases = [{"inputs": {"x": {"randn": [2, 5, 4]}}}]
    weights = tmp_path / "weights.safetensors"
    report = verify(
        make_recipe(cases, changes, **QUICK),
        make_port(text_file="tiny_named_port.py"),
        weights_output=weights,
    )
    assert report.findings == ()
    expected = state["model.project.weight"].to(dtype).float().numpy()
    assert np.array_equal(load_file(weights)["project.weight"], expected)


def test_a_checkpoint_that_does_not_fit_is_a_finding(
    make_recipe: Callable[..., Recipe], make_port: Callable[..., Path], tmp_path: Path
) -> None:
    path = tmp_path / "model.pt"
    torch.save({"project.weight": torch.zeros(6, 4)}, path)
    recipe = make_recipe(changes={"weights": {"checkpoint": str(path)}}, **QUICK)
    report = verify(recipe, make_port(), mappings_directory=MAPPINGS)
    assert codes(report) == {"PRT609"}
    assert "project.bias" in report.findings[0].message


@pytest.mark.usefixtures("shared_reference")
def test_the_first_wrong_module_is_named_with_its_lines(
    make_recipe: Callable[..., Recipe], make_port: Callable[..., Path]
) -> None:
    port = make_port(("epsilon=1e-3", "epsilon=1e-5"))
    report = verify(make_recipe(**QUICK), port, mappings_directory=MAPPINGS, record="failed")
    assert codes(report) == {"PRT603", "PRT615"}
    located = next(finding for finding in report.findings if finding.code == "PRT615")
    assert located.position.path == str(port / "tiny_source.py")
    assert "the first fault is in norm (LayerNorm)" in located.message
    assert located.hint == f"the original: {HERE / 'tiny_source.py'}:29"
    (modules,) = report.modules
    assert modules.mode == "graph STRICT"
    assert {row.path: row.code for row in modules.rows} == {
        "project": "",
        "norm": "PRT603",
        "": "PRT603",
    }
    assert report.command == f"porter verify {HERE / 'recipe.toml'} --port {port} --locate"


@pytest.mark.usefixtures("shared_reference")
def test_a_fault_of_the_graph_alone_is_located_in_the_graph(
    make_recipe: Callable[..., Recipe], make_port: Callable[..., Path]
) -> None:
    port = make_port(
        ("return h, h.mean(axis=1)", "return h, self.last(h)"),
        ("class Tiny", f"{GRAPH_ALONE}\n\nclass Tiny"),
        (NORM, NORM + "\n        self.last = Last()"),
    )
    report = verify(make_recipe(**QUICK), port, mappings_directory=MAPPINGS, record="failed")
    assert codes(report) == {"PRT601", "PRT615"}
    assert report.modules[0].location is not None
    assert report.modules[0].location.path == ""


@pytest.mark.usefixtures("shared_reference")
def test_a_graph_that_cannot_be_recorded_says_so(
    make_recipe: Callable[..., Recipe], make_port: Callable[..., Path]
) -> None:
    port = make_port((LAST, "return h, h.no_such_method()"))
    report = verify(make_recipe(**QUICK), port, mappings_directory=MAPPINGS, record="failed")
    assert codes(report) == {"PRT606", "PRT613"}
