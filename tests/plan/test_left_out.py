"""Leave out methods that calling a class does not need, and none that it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.port import port_source
from porter.types import PortResult

HEAD = """\
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.after()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return getattr(self, "named")(self.linear(x)) + Other.made(x)

    def after(self):
        pass

    def named(self, x):
        return x

    def loose(self):
        pass


class Other:
    @staticmethod
    def made(x):
        return x
"""
FAULT = "torch.no_such_function()"


def ported(tmp_path: Path, text: str, wanted: str = ":Base") -> PortResult:
    (tmp_path / "model.py").write_text(text)
    return port_source(f"{tmp_path / 'model.py'}{wanted}")


@pytest.mark.parametrize("needed", ["after", "named", "made", "forward", "__init__"])
def test_what_calling_the_class_may_need_stays_an_error(needed: str, tmp_path: Path) -> None:
    line = next(line for line in HEAD.splitlines() if f"def {needed}(" in line)
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    result = ported(tmp_path, HEAD.replace(line, f"{line}\n{indent}{FAULT}"))
    assert [finding.code for finding in result.findings] == ["PRT101"]


def test_a_method_that_nothing_calls_is_left_out_with_its_reason(tmp_path: Path) -> None:
    text = HEAD.replace("def loose(self):\n        pass", f"def loose(self):\n        {FAULT}")
    [finding] = ported(tmp_path, text).findings
    assert finding.code == "PRT216"
    assert (
        "PRT101 stands in its way at model.py:21: no mapping for torch.no_such" in finding.message
    )


def test_without_a_wanted_class_every_method_counts(tmp_path: Path) -> None:
    text = HEAD.replace("def loose(self):\n        pass", f"def loose(self):\n        {FAULT}")
    assert [finding.code for finding in ported(tmp_path, text, "").findings] == ["PRT101"]


def test_the_setter_of_a_property_is_not_left_out(tmp_path: Path) -> None:
    accessors = f"""
    @property
    def width(self):
        return self._width

    @width.setter
    def width(self, value):
        {FAULT}
"""
    text = HEAD.replace("    def loose(self):\n        pass\n", accessors)
    assert [finding.code for finding in ported(tmp_path, text).findings] == ["PRT101"]


def test_what_only_a_method_left_out_needs_does_not_come_along(tmp_path: Path) -> None:
    function = f"\n\ndef helper():\n    {FAULT}\n"
    text = HEAD.replace("def loose(self):\n        pass", "def loose(self):\n        helper()")
    result = ported(tmp_path, text + function)
    assert [finding.code for finding in result.findings] == ["PRT216"]
    assert "def helper" not in result.files[0].text
