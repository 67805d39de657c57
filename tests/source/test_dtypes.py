"""Hold the dtypes that are inferred to those that PyTorch gives."""

from __future__ import annotations

import ast
import importlib.util
import itertools
from pathlib import Path
from typing import Any

import pytest
import torch

from porter.mapping.load import load_mappings
from porter.mapping.verify import by_file
from porter.parity.cells import source_text
from porter.parity.sample_arrays import inputs_of
from porter.parity.samples import cases_of, unique_entries
from porter.source.dtypes import divide, named_dtype, promote
from porter.source.infer import Inference
from porter.source.kinds import FLOAT, INT, TENSOR, Kind
from porter.source.program import Program
from porter.source.read import read_source

MAPPING = load_mappings()
TABLES = by_file(
    [entry for entry in unique_entries(MAPPING) if entry.kind in ("function", "method")]
)
DTYPES = ("bool", "uint8", "int32", "int64", "float16", "float32", "float64", "complex64")


def tensor(dtype: str) -> Kind:
    return Kind("tensor", dtype=dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("number", "kind"), [(3, INT), (2.5, FLOAT)])
def test_a_number_changes_a_dtype_as_in_torch(dtype: str, number: float, kind: Kind) -> None:
    value = torch.ones(2, dtype=getattr(torch, dtype))
    assert promote([tensor(dtype), kind]) == name_of(value + number)
    assert divide([tensor(dtype), kind]) == name_of(value / number)


@pytest.mark.parametrize(("first", "second"), itertools.product(DTYPES, DTYPES))
def test_two_tensors_are_promoted_as_in_torch_or_nothing_is_said(first: str, second: str) -> None:
    values = [torch.ones(2, dtype=getattr(torch, name)) for name in (first, second)]
    found = promote([tensor(first), tensor(second)])
    assert found in (None, name_of(values[0] + values[1]))
    assert found is not None or first != second


def test_what_is_not_known_stays_unknown() -> None:
    assert promote([TENSOR, INT]) is None
    assert promote([tensor("int64"), Kind("unknown")]) is None
    assert named_dtype("torch.long") == "int64"
    assert named_dtype("torch.cat") is None


def name_of(value: Any) -> str:
    return str(value.dtype).removeprefix("torch.")


@pytest.mark.parametrize("table", TABLES)
def test_the_dtype_of_every_sample_is_right_or_unknown(table: str, tmp_path: Path) -> None:
    cases = [case for entry in TABLES[table] for case in cases_of(entry)]
    path = tmp_path / "dtype_source.py"
    path.write_text(source_text(cases))
    program = Program(read_source(str(path)).modules, MAPPING)
    inference = Inference(program)
    inference.run_all()
    source = imported(path)
    wrong = []
    for case in cases:
        kind = inference.kind(returned(program, case.class_name))
        result = output_of(getattr(source, case.class_name)(), inputs_of(case, case.call))
        for inferred, value in paired(kind, result):
            if inferred.dtype is not None and inferred.dtype != name_of(value):
                wrong.append(f"{case.task}: {inferred.dtype}, in PyTorch {name_of(value)}")
    assert not wrong, "\n".join(wrong)


def imported(path: Path) -> Any:
    specification = importlib.util.spec_from_file_location(path.stem, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def returned(program: Program, name: str) -> ast.expr:
    node = program.classes[f"dtype_source.{name}"].methods["forward"]
    last = node.body[-1]
    assert isinstance(last, ast.Return)
    assert last.value is not None
    return last.value


def output_of(module: torch.nn.Module, inputs: dict[str, Any]) -> Any:
    torch.manual_seed(0)
    return module(*[torch.from_numpy(value.copy()) for value in inputs.values()])


def paired(kind: Kind, value: Any) -> list[tuple[Kind, torch.Tensor]]:
    """Return the tensors of a result with what was inferred of each."""
    if isinstance(value, torch.Tensor):
        return [(kind, value)] if kind.name == "tensor" else []
    if isinstance(value, tuple | list) and kind.name in ("tuple", "list"):
        inner = kind.items or (kind.element,) * len(value)
        return [
            pair
            for item, part in zip(inner, value, strict=False)
            if item is not None
            for pair in paired(item, part)
        ]
    return []


def test_most_samples_of_the_listed_functions_have_a_dtype(tmp_path: Path) -> None:
    ruled = [e for e in unique_entries(MAPPING) if MAPPING.dtype_rule(e.name) and e.overloads]
    cases = [c for e in ruled if e.kind in ("function", "method") for c in cases_of(e)]
    cases = [c for c in cases if any(s.dtype in ("int64", "bool") for _, s in c.call.arrays)]
    path = tmp_path / "dtype_source.py"
    path.write_text(source_text(cases))
    program = Program(read_source(str(path)).modules, MAPPING)
    inference = Inference(program)
    inference.run_all()
    kinds = [inference.kind(returned(program, case.class_name)) for case in cases]
    tensors = [kind for kind in kinds if kind.name == "tensor"]
    known = sum(kind.dtype is not None for kind in tensors)
    assert known > 0.6 * len(tensors), (known, len(tensors))
