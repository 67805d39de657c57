"""Check every entry of the tables without running MindSpore."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from porter.mapping.bind import Binding, bind
from porter.mapping.load import default_directory, load_mappings
from porter.mapping.schema import Entry, Overload
from porter.mapping.verify import (
    by_file,
    missing_runtime,
    port_cases,
    ported_bodies,
)
from porter.parity.cells import spellings
from porter.parity.sample_arrays import make_array
from porter.parity.samples import Case, cases_of, unique_entries
from porter.source.read import locate_module
from porter.source.top_level import assigned_names
from tests.mapping.torch_signatures import disagreement, published, torch_object

MAPPING = load_mappings()
ENTRIES = unique_entries(MAPPING)
TABLES = by_file(ENTRIES)
CALLED = ("function", "method", "module")

# Where a signature is meant to differ from what PyTorch publishes: name -> why.
SIGNATURE_DIFFERENCES = {
    "torch.Tensor.nonzero": "as_tuple is added in Python, behind the native schema",
    "torch.Tensor.polygamma": "the method takes the tensor first, the native schema the order",
    "torch.nonzero": "as_tuple is added in Python, behind the native schema",
    "torch.Tensor.norm": 'the default "fro" is the 2-norm of a vector, and written 2',
    "torch.norm": 'the default "fro" is the 2-norm of a vector, and written 2',
    "torch.Tensor.where": "the receiver is the second tensor of the native schema",
    "torch.Tensor.std": "correction None means 1",
    "torch.Tensor.var": "correction None means 1",
    "torch.std": "correction None means 1",
    "torch.std_mean": "correction None means 1",
    "torch.var_mean": "correction None means 1",
    "torch.var": "correction None means 1",
    "torch.cdist": "compute_mode is ignored, None stands for every value of it",
    "torch.linalg.vector_norm": "the documentation calls the tensor x, the native schema self",
    "torch.nn.functional.adaptive_max_pool2d": "return_indices is added in Python",
    "torch.nn.functional.adaptive_max_pool3d": "return_indices is added in Python",
    "torch.nn.functional.max_pool1d": "return_indices is added in Python",
    "torch.nn.functional.max_pool3d": "return_indices is added in Python",
    "torch.nn.functional.max_pool2d": "return_indices is added in Python",
    "torch.tensor_split": "Python gives one name to the parameters of three native schemas",
    "torch.Tensor.tensor_split": "Python gives one name to the parameters of three native schemas",
    "torch.Tensor.uniform_": "from is a word of Python's own: the parameter is given by position",
    "torch.is_autocast_enabled": "PyTorch has a spelling with a device and one without",
}

# Names of other releases of transformers, and of torch, than the installed ones.
OTHER_RELEASES = {
    "torch.nn.batchnorm._BatchNorm",
    "transformers.ModelOutput",
    "transformers.auto_docstring",
    "transformers.utils.capture_outputs",
    "transformers.utils.check_model_inputs",
    "transformers.utils.deprecate_kwarg",
    "transformers.utils.is_mambapy_available",
    "transformers.utils.merge_with_config_defaults",
    "transformers.utils.requires",
    "transformers.modeling_utils.apply_chunking_to_forward",
    "transformers.pytorch_utils.find_pruneable_heads_and_indices",
    "transformers.utils.is_flash_attn_available",
    "transformers.utils.import_utils.is_flash_attn_available",
}


def _samples(entries: list[Entry]) -> list[Case]:
    return [case for entry in entries for case in cases_of(entry)]


@pytest.mark.parametrize("path", sorted(default_directory().glob("*.toml")), ids=lambda p: p.name)
def test_a_table_is_sorted_by_name(path: Path) -> None:
    if path.name == "common.toml":
        return
    names = list(tomllib.loads(path.read_text()))
    # Lower case sorts behind upper case, as in the names themselves.
    assert names == sorted(names)


@pytest.mark.parametrize("table", TABLES)
def test_every_sample_binds_to_the_signature_it_stands_below(table: str) -> None:
    wrong = []
    for case in _samples(TABLES[table]):
        signature = case.overload.signature
        call = case.call if case.init is None else case.init
        if signature is None or case.entry.kind not in CALLED:
            continue
        binding = bind(signature, call.call)
        if not isinstance(binding, Binding):
            wrong.append(f"{case.task}: {binding.message}")
    assert not wrong


@pytest.mark.parametrize("table", TABLES)
def test_every_array_of_a_sample_can_be_made(table: str) -> None:
    for case in _samples(TABLES[table]):
        for call in (case.call, case.init):
            for name, spec in call.arrays if call is not None else ():
                array = make_array(spec, case.seed)
                assert array.dtype == spec.dtype, (case.task, name)
                assert spec.values is not None or array.shape == spec.shape, (case.task, name)


@pytest.mark.parametrize("table", TABLES)
def test_a_rewritten_call_has_samples_or_golden_cases(table: str) -> None:
    bare = [
        entry.name
        for entry in TABLES[table]
        if entry.kind in (*CALLED, "attribute")
        and entry.manual is None
        and not entry.drop
        and not entry.cases
        and entry.graph_manual is None
        and not any(overload.samples for overload in entry.overloads)
    ]
    assert not bare


def test_every_name_exists_in_what_is_installed() -> None:
    names = [name for entry in ENTRIES for name in (entry.name, *entry.aliases)]
    installed = [name for name in names if not name.startswith(("torchvision", "diffusers"))]
    assert {name for name in installed if not _exists(name)} == OTHER_RELEASES


def _exists(name: str) -> bool:
    if name.startswith("transformers"):
        return _exists_in_source(name)
    try:
        torch_object(name)
    except AttributeError:
        return False
    return True


def _exists_in_source(name: str) -> bool:
    """Look a name up in the text of its module, which is not imported: that would take seconds."""
    if locate_module(name.removesuffix(".*")) is not None:
        return True
    module, _, attribute = name.rpartition(".")
    path = locate_module(module)
    if path is None:
        # A class or an object that the module before offers; its members may be inherited.
        return "." in module and _exists_in_source(module)
    if attribute in _offered(path):
        return True
    # A lazy package offers what its modules list in __all__; those of models are a package deeper.
    nearby = [*path.parent.glob("*.py"), *path.parent.glob("models/auto/*.py")]
    quoted = f'"{attribute}"'
    return path.name == "__init__.py" and any(quoted in item.read_text() for item in nearby)


@cache
def _offered(path: Path) -> frozenset[str]:
    """Return the names that a file defines or imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ImportFrom | ast.Import):
            names.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.stmt):
            names.update(assigned_names(node))
    return frozenset(names)


@pytest.mark.parametrize(
    "entry",
    [e for e in ENTRIES if e.name.startswith("torch.") and e.kind in CALLED and e.overloads],
    ids=lambda entry: entry.name,
)
def test_a_signature_agrees_with_the_one_that_pytorch_publishes(entry: Entry) -> None:
    known = published(entry)
    differences = [
        f"{overload.signature}: {texts}"
        for overload in entry.overloads
        if overload.signature is not None and known
        for texts in [[disagreement(overload.signature, item) for item in known]]
        if all(texts)
    ]
    if entry.name in SIGNATURE_DIFFERENCES:
        assert differences, "the listed difference is gone: remove it"
    else:
        assert not differences


def test_the_listed_signature_differences_are_of_entries() -> None:
    assert set(SIGNATURE_DIFFERENCES) <= {entry.name for entry in ENTRIES}


def test_a_value_that_is_left_out_is_one_that_the_entry_takes() -> None:
    # Where there is one spelling, only what a caller gives is held to the literals: another default
    # would pass unseen.
    wrong = [
        (entry.name, name)
        for entry in ENTRIES
        for overload in entry.overloads
        for name, literals in overload.only.items()
        if overload.signature is not None and len(entry.overloads) == 1
        for default in [overload.signature[name].default]
        if default is not None and not _is_literal(default, literals)
    ]
    assert not wrong


def _is_literal(text: str, literals: tuple[str, ...]) -> bool:
    return text.replace('"', "'") in {item.replace('"', "'") for item in literals}


def test_no_argument_takes_the_place_of_one_that_is_left_out() -> None:
    sliding = [
        (entry.name, overload.emit)
        for entry in ENTRIES
        for overload in entry.overloads
        if overload.emit and overload.signature
        for call in ast.walk(ast.parse(re.sub(r"{(\w+)}", r"given_\1", overload.emit)))
        if isinstance(call, ast.Call)
        for places in [[_may_be_left_out(overload, item) for item in call.args]]
        # The last argument alone may vanish.
        if True in places[:-1]
    ]
    assert not sliding


def _may_be_left_out(overload: Overload, argument: ast.expr) -> bool:
    """Tell whether an argument of a template is one parameter that has a default."""
    name = argument.id.removeprefix("given_") if isinstance(argument, ast.Name) else ""
    signature = overload.signature
    if signature is None or name not in signature or name in overload.coerce:
        return False
    return signature[name].default is not None


def test_every_name_of_the_runtime_that_is_written_is_there() -> None:
    missing = {
        (entry.name, text)
        for entry in ENTRIES
        for overload in entry.overloads
        if (text := missing_runtime(overload))
    }
    assert not missing


@pytest.mark.parametrize("table", TABLES)
def test_every_spelling_of_a_sample_is_ported(table: str, tmp_path: Path) -> None:
    cases = [case for case in _samples(TABLES[table]) if not missing_runtime(case.overload)]
    if not cases:
        return
    derived = [item for case in cases for item in spellings(case)]
    result, findings = port_cases([*cases, *derived], MAPPING, tmp_path)
    assert {task: str(finding) for task, finding in findings.items()} == {}
    bodies = ported_bodies(result)
    samples = {case.task: _values(bodies[case.class_name]) for case in cases}
    wrong = []
    for case in derived:
        sample, text = samples[case.task.partition(":")[0]], bodies[case.class_name]
        defaults, written = _default_values(case), _values(text)
        # A value that is left out takes with it what was written around it.
        alike = written <= sample if case.spelling == "short" else written ^ sample <= defaults
        if not alike:
            wrong.append(f"{case.task}: {text}")
    assert not wrong


def _values(text: str) -> set[str]:
    """Return what a port calls and with which values, without their order and their names."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Name | ast.Constant):
            found.add(ast.unparse(node))
    return found


def _default_values(case: Case) -> set[str]:
    """Return the values that a spelling may write or leave out."""
    signature = case.overload.signature
    assert signature is not None
    texts = [parameter.default for parameter in signature.parameters if parameter.default]
    return {value for text in texts for value in _values(text)}


def test_many_names_of_torch_have_samples(record_property: Callable[[str, object], None]) -> None:
    proven = [e.name for e in ENTRIES if e.name.startswith("torch.") and list(cases_of(e))]
    samples = sum(1 for entry in ENTRIES for _ in cases_of(entry))
    record_property("torch_names_with_samples", len(proven))
    record_property("samples", samples)
    print(f"{len(ENTRIES)} entries, {len(proven)} of torch with samples, {samples} samples")
    assert len(proven) >= 120
