"""Tell which backward becomes a function of its loss, and which cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.port import port_source

HEAD = """\
import torch
from torch import nn

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.ones(3, 2)
"""


def port(tmp_path: Path, body: str) -> tuple[str, list[str]]:
    path = tmp_path / "script.py"
    path.write_text(HEAD + body)
    result = port_source(str(path))
    return result.files[0].text, [finding.code for finding in result.findings]


def test_gradients_go_from_a_backward_to_its_step(tmp_path: Path) -> None:
    text, codes = port(
        tmp_path,
        "for _ in range(3):\n"
        "    optimizer.zero_grad()\n"
        "    loss = model(x).mean()\n"
        "    loss.backward()\n"
        "    optimizer.step()\n",
    )
    assert codes == []
    assert "    def forward_loss():\n        loss = " in text
    assert "loss, gradients = ms.value_and_grad(forward_loss, None, optimizer.parameters)()" in text
    assert "    optimizer(gradients)\n" in text
    assert "zero_grad" not in text


@pytest.mark.parametrize(
    "body",
    [
        "loss = model(x).mean()\nloss.backward()\noptimizer.step()\n",
        "loss = model(x).mean()\noptimizer.zero_grad()\nloss.backward()\noptimizer.step()\n"
        "print(model.weight.grad)\n",
        "for i in range(4):\n    loss = model(x).mean()\n    loss.backward()\n"
        "    if i % 2:\n        optimizer.step()\n        optimizer.zero_grad()\n",
    ],
    ids=["no reset", "read", "summed"],
)
def test_gradients_are_kept_where_more_than_a_step_uses_them(tmp_path: Path, body: str) -> None:
    text, codes = port(tmp_path, body)
    assert codes == []
    assert "accumulate(" in text
    assert "step(optimizer)" in text


@pytest.mark.parametrize(
    "body",
    [
        "def update(loss):\n    optimizer.zero_grad()\n    loss.backward()\n    optimizer.step()\n",
        "h = x\nfor _ in range(3):\n    h = torch.tanh(model(h)) * x\n    h.mean().backward()\n",
        "y = model(x)\ny.mul_(model(x + 1))\ny.mean().backward()\n",
        "y = model(x)\ny.register_hook(print)\ny.mean().backward()\n",
        "for _ in range(3):\n    y = model(x)\n    if y.mean() > 1:\n        continue\n"
        "    loss = y.mean()\n    loss.backward()\n",
        "def closure():\n    loss = model(x).mean()\n    loss.backward()\n    return loss\n\n\n"
        "optimizer.step(closure)\n",
        "w = torch.ones(2, requires_grad=True)\ny = torch.sin(w.sum())\n"
        "g = torch.autograd.grad(y, w, create_graph=True)[0]\ng.sum().backward()\n",
    ],
    ids=["elsewhere", "carried on", "in place", "hook", "leaving", "closure", "twice"],
)
def test_what_cannot_be_shown_right_is_reported(tmp_path: Path, body: str) -> None:
    assert "PRT214" in port(tmp_path, body)[1]
