"""Spoil entries in each way that the harness must find, and see that it finds it."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.mapping.load import Mapping, load_mappings
from porter.mapping.verify import QUICK, SampleResult, verify_entries

SPOILED = """
["torch.add"]
signature = "(input, other)"
emit = "ops.sub({input}, {other})"
difference = "names"
samples = ["f32[2,3], f32[2,3]"]

["torch.argmax"]
signature = "(input)"
emit = "ops.argmax({input}).astype(ms.int32)"
difference = "names"
samples = ["f32[2,3]"]

["torch.cat"]
signature = "(tensors, dim=0)"
emit = "ops.cat({tensors}, axis=1)"
difference = "names"
samples = ["[f32[2,2], f32[2,2]]", "[f32[2,2], f32[2,2]], dim=1"]

["torch.cos"]
signature = "(input)"
emit = "ops.cos({input})"
difference = "names"
samples = ["f32[2,3]"]
limits = [{ modes = ["graph", "pynative"], reason = "this is not so" }]

["torch.erf"]
signature = "(input)"
emit = "ops.no_such_function({input})"
difference = "names"
samples = ["f32[2,3]"]

["torch.exp"]
signature = "(input)"
emit = "ops.exp({input})[0]"
difference = "names"
samples = ["f32[2,3]"]

["torch.floor"]
signature = "(input)"
emit = "runtime.functional.no_such_function({input})"
difference = "names"
samples = ["f32[2,3]"]

["torch.nn.LayerNorm"]
kind = "module"
signature = "(normalized_shape, eps=1e-5)"
target = "mindspore.nn.LayerNorm"
coerce = { normalized_shape = "tuple" }
ignore = ["eps"]
weights = { weight = "gamma", bias = "beta" }
difference = "defaults"
notes = "Wrong: the epsilon that is given is not written."
samples = [{ init = "4, eps=0.5", call = "f32[2,4]" }]

["torch.nn.Linear"]
kind = "module"
signature = "(in_features, out_features, bias=True)"
target = "mindspore.nn.Dense"
rename = { in_features = "in_channels", out_features = "out_channels" }
weights = { weight = "bias", bias = "weight" }
difference = "names"
samples = [{ init = "4, 3", call = "f32[2,4]" }]

["torch.sin"]
signature = "(input)"
emit = "ops.sin({input})"
difference = "names"
samples = ["f32[2,3], 5"]

["torch.sort"]
signature = "(input)"
emit = "ops.sort({input})[0]"
difference = "names"
samples = ["f32[2,3]"]

["torch.tan"]
signature = "(input)"
emit = "ops.tan({input})"
difference = "names"
samples = ["f32[2,3]"]

["torch.tanh"]
signature = "(input)"
emit = "ops.no_such_function({input})"
difference = "names"
samples = ["f32[2,3]"]
limits = [{ modes = ["graph", "pynative"], reason = "there is no such function" }]
"""

EXPECTED = {
    "torch.add#0": "PRT603",
    "torch.argmax#0": "PRT602",
    "torch.cat#0": "PRT601",
    "torch.cat#1": "",
    "torch.cos#0": "PRT607",
    "torch.erf#0": "PRT606",
    "torch.exp#0": "PRT601",
    "torch.floor#0": "PRT901",
    "torch.nn.LayerNorm#0": "PRT603",
    "torch.nn.Linear#0": "PRT503",
    "torch.sin#0": "PRT107",
    "torch.sort#0": "PRT612",
    "torch.tan#0": "",
    "torch.tanh#0": "",
}


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Mapping, Path]:
    folder = tmp_path_factory.mktemp("mappings")
    (folder / "spoiled.toml").write_text(SPOILED)
    return load_mappings(folder), folder


@pytest.fixture(scope="module")
def results(spoiled: tuple[Mapping, Path]) -> list[SampleResult]:
    mapping, folder = spoiled
    entries = [entry for entry in mapping.entries.values() if entry.source == "spoiled.toml"]
    return verify_entries(entries, mapping, QUICK, mappings_directory=folder)


@pytest.mark.parametrize("mode", QUICK)
def test_each_fault_is_found_and_named(results: list[SampleResult], mode: str) -> None:
    found = {result.case.task: result.code for result in results if result.mode == mode}
    assert found == EXPECTED


def test_a_fault_does_not_reach_the_samples_behind_it(results: list[SampleResult]) -> None:
    good = [result for result in results if result.case.entry.name == "torch.tan"]
    assert [result.outputs for result in good] == [1, 1]


def test_an_expected_failure_says_why(results: list[SampleResult]) -> None:
    limited = [result for result in results if result.case.entry.name == "torch.tanh"]
    assert {result.limit for result in limited} == {"there is no such function"}


def test_a_failure_shows_the_sample_and_both_values(results: list[SampleResult]) -> None:
    text = str(next(result for result in results if result.case.entry.name == "torch.add"))
    assert "torch.add#0 graph: PRT603" in text
    assert "torch.add(x0, x1)" in text
    assert "MindSpore has [" in text


CRASHING = """
["torch.erf"]
signature = "(input)"
emit = 'mint.nn.functional.pad({input}, (1, 1), mode="reflect")'
difference = "names"
samples = ["f32[2,3,4]"]

["torch.tan"]
signature = "(input)"
emit = "ops.tan({input})"
difference = "names"
samples = ["f32[2,3]"]
"""


def test_a_sample_that_ends_the_process_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    (tmp_path / "crashing.toml").write_text(CRASHING)
    mapping = load_mappings(tmp_path)
    entries = [entry for entry in mapping.entries.values() if entry.source == "crashing.toml"]
    results = verify_entries(entries, mapping, ["graph"], mappings_directory=tmp_path)
    assert [(result.case.task, result.code) for result in results] == [
        ("torch.erf#0", "PRT608"),
        ("torch.tan#0", ""),
    ]
    assert "SIGSEGV" in results[0].message
