"""Let a port be imported where torch is not, although a part of it was left."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from porter.cli import main

SOURCE = """\
import torch
from torch import nn
from torch.distributions import Normal, kl_divergence
from torch.utils.checkpoint import checkpoint as again


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.kind = "plain"

    def forward(self, x: torch.Tensor):
        if self.kind == "sampled":
            return self.sample(x)
        return torch.relu(self.layer(x))

    def sample(self, x: torch.Tensor):
        return kl_divergence(Normal(x, 1.0), Normal(0.0, 1.0)), torch.jit.script(self)
"""


def test_what_was_left_of_torch_is_none_where_torch_is_not(tmp_path: Path) -> None:
    source = tmp_path / "model.py"
    source.write_text(SOURCE)
    assert main(["port", f"{source}:Model", "-o", str(tmp_path / "ported")]) == 1
    text = (tmp_path / "ported" / "model.py").read_text()
    assert "try:\n    import torch\nexcept ImportError:\n    torch = None\n" in text
    assert "except ImportError:\n    Normal = None\n    kl_divergence = None\n" in text
    assert "again" not in text
    check = (
        "import sys; sys.modules['torch'] = None; import mindspore as ms, numpy as np; "
        "from ported.model import Model; "
        "print(Model()(ms.Tensor(np.ones((2, 4), np.float32))).shape)"
    )
    done = subprocess.run(
        [sys.executable, "-c", check], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "(2, 4)", done.stderr


def test_a_port_without_such_a_part_imports_nothing_of_torch(tmp_path: Path) -> None:
    source = tmp_path / "model.py"
    source.write_text(SOURCE[: SOURCE.index("    def sample")])
    assert main(["port", f"{source}:Model", "-o", str(tmp_path / "ported")]) == 0
    assert "torch" not in (tmp_path / "ported" / "model.py").read_text()
