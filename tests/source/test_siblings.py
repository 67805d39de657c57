"""A lone file brings along what it needs of the files beside it, whether they use torch or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.port import port_source

MODEL = """import torch
from torch import nn

from .helpers import shift, width


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return shift(x) * width()
"""
HELPERS = """import torch

from .plain import NUMBER


def width() -> int:
    return NUMBER


def shift(x: torch.Tensor) -> torch.Tensor:
    return torch.neg(x)
"""


@pytest.mark.parametrize("suffix", ["", ":Model"])
def test_files_beside_a_lone_file_come_along(suffix: str, tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(MODEL, encoding="utf-8")
    (tmp_path / "helpers.py").write_text(HELPERS, encoding="utf-8")
    (tmp_path / "plain.py").write_text("NUMBER = 3\n", encoding="utf-8")
    (tmp_path / "other.py").write_text("import torch\n", encoding="utf-8")
    result = port_source(f"{tmp_path / 'model.py'}{suffix}")
    texts = {file.path.name: file.text for file in result.files if file.source}
    assert sorted(texts) == ["helpers.py", "model.py", "plain.py"]
    assert "from .helpers import shift, width" in texts["model.py"]
    assert "from .plain import NUMBER" in texts["helpers.py"]
    assert "torch" not in "".join(
        line for line in texts["helpers.py"].splitlines() if "#" not in line
    )
