"""Hold the entries that follow from others to what torch has, and to what an update keeps."""

from __future__ import annotations

import pytest
import torch

from porter.mapping.load import Mapping, default_directory, load_mappings, read_tables

TABLES = read_tables(default_directory())
MAPPING = load_mappings()
LISTED = {form: set(names) for form, names in TABLES.derived.items()}
UPDATING = LISTED["inplace"] | LISTED["inplace_cast"]


def _given(name: str) -> bool:
    return name in TABLES.entries


def _known(name: str) -> bool:
    return name in MAPPING.entries


def test_no_listed_name_has_an_entry_of_its_own() -> None:
    full = [
        *(f"torch.Tensor.{name}" for name in LISTED["methods"]),
        *(f"torch.Tensor.{name}_" for name in UPDATING),
        *(f"torch.{name}_" for name in LISTED["inplace_functions"]),
    ]
    assert [name for name in full if _given(name)] == []
    assert [name for name in full if not _known(name)] == []
    assert LISTED["inplace"] & LISTED["inplace_cast"] == set()


def test_every_method_that_torch_has_of_a_known_function_is_known() -> None:
    missing = [
        name
        for name in dir(torch.Tensor)
        if _callable(name) and callable(getattr(torch, name, None))
        if _known(f"torch.{name}") and not _known(f"torch.Tensor.{name}")
    ]
    assert missing == []


def test_every_update_in_place_that_torch_has_of_a_known_method_is_known() -> None:
    missing = [
        f"{name}_"
        for name in dir(torch.Tensor)
        if _callable(name) and _callable(f"{name}_") and _known(f"torch.Tensor.{name}")
        if not _known(f"torch.Tensor.{name}_")
    ]
    assert missing == []


def test_every_function_that_updates_is_known_where_its_method_is() -> None:
    missing = [
        f"torch.{name}_"
        for name in dir(torch.Tensor)
        if hasattr(torch, f"{name}_") and _known(f"torch.Tensor.{name}_")
        if not _known(f"torch.{name}_")
    ]
    assert missing == []


def _callable(name: str) -> bool:
    return not name.startswith("_") and callable(getattr(torch.Tensor, name, None))


def _text(mapping: Mapping, name: str) -> str | None:
    overload = mapping.entries[name].overloads[0]
    return overload.emit or overload.target


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("torch.Tensor.heaviside", "mindspore.ops.heaviside"),
        ("torch.Tensor.isneginf", '{self} == float("-inf")'),
        ("torch.Tensor.erf_", "{self}.erf()"),
        ("torch.erf_", "{input}.erf()"),
        ("torch.Tensor.eq_", "({self} == {other}).astype({self}.dtype)"),
        (
            "torch.Tensor.addcmul_",
            "ops.addcmul({self}, tensor1={tensor1}, tensor2={tensor2}, value={value})"
            ".astype({self}.dtype)",
        ),
    ],
)
def test_what_follows_from_an_entry(name: str, text: str) -> None:
    assert _text(MAPPING, name) == text


def test_a_method_takes_no_out() -> None:
    signature = MAPPING.entries["torch.Tensor.heaviside"].overloads[0].signature
    assert signature is not None
    assert [parameter.name for parameter in signature.parameters] == ["self", "values"]


def test_an_alias_of_what_is_derived_is_the_same_entry() -> None:
    assert MAPPING.entries["torch.Tensor.arccos_"] is MAPPING.entries["torch.Tensor.acos_"]
    assert MAPPING.entries["torch.Tensor.acos_"].aliases == ("torch.Tensor.arccos_",)
