"""What a module was made with is read off its Cell with torch's value, or refused."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch

from porter.emit.write import write_port
from porter.mapping.load import load_mappings
from porter.port import port_source

MAPPING = load_mappings()


@dataclass(frozen=True, slots=True)
class Setting:
    """A module of torch, how it is made, and one of its attributes that its arguments set."""

    name: str
    init: str
    attribute: str

    @property
    def source(self) -> str:
        return f"    module = {self.name}({self.init})\n    return module.{self.attribute}\n"


def settings() -> Iterator[Setting]:
    """Give every attribute of every sample of a module that a parameter is kept under."""
    for name, entry in MAPPING.entries.items():
        if entry.kind != "module" or entry.name != name or not name.startswith("torch.nn."):
            continue
        for overload in entry.overloads:
            parameters = overload.signature.parameters if overload.signature else ()
            for sample in overload.samples:
                if sample.init is None or "f32" in sample.init:
                    continue
                module = eval(f"{name}({sample.init})", {"torch": torch})  # noqa: S307
                for parameter in parameters:
                    value = getattr(module, parameter.name, torch.nn.Module())
                    held = parameter.name in entry.weights
                    if not held and not isinstance(value, torch.Tensor | torch.nn.Module):
                        yield Setting(name, sample.init, parameter.name)


def same(expected: Any, actual: Any) -> bool:
    if isinstance(expected, float) and isinstance(actual, int | float):
        return actual == pytest.approx(expected)
    return type(expected) is type(actual) and bool(expected == actual)


@pytest.fixture
def ported(tmp_path: Path) -> Iterator[tuple[list[Setting], set[int], Any, Any]]:
    """Port a function for each setting; give the settings, those refused, and both modules."""
    wanted = list(settings())
    lines = ["import torch\n\n"]
    lines += [f"def read{number}():\n{item.source}\n" for number, item in enumerate(wanted)]
    source = tmp_path / "settings_of_modules.py"
    source.write_text("".join(lines))
    result = port_source(str(source))
    starts = [i for i, line in enumerate(source.read_text().splitlines(), 1) if "def read" in line]
    refused = {
        max(n for n, start in enumerate(starts) if start <= finding.position.line)
        for finding in result.findings
        if finding.code == "PRT102"
    }
    write_port(result, tmp_path / "port_of_settings")
    sys.path.insert(0, str(tmp_path))
    try:
        yield (
            wanted,
            refused,
            importlib.import_module("settings_of_modules"),
            importlib.import_module("port_of_settings.settings_of_modules"),
        )
    finally:
        sys.path.remove(str(tmp_path))


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_setting_has_torchs_value_or_is_refused(
    ported: tuple[list[Setting], set[int], Any, Any],
) -> None:
    wanted, refused, source, port = ported
    assert len(wanted) - len(refused) > 500
    wrong = []
    for number, setting in enumerate(wanted):
        if number in refused:
            continue
        expected = getattr(source, f"read{number}")()
        try:
            actual = getattr(port, f"read{number}")()
        except AttributeError as error:
            actual = error
        if not same(expected, actual):
            wrong.append(f"{setting.name}({setting.init}).{setting.attribute}: {expected} {actual}")
    assert wrong == []
