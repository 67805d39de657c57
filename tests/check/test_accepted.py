"""Hold the checker's tongue: code that looks suspicious and compiles gives no finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.check.checker import check_source
from tests.check.pages import ALL_MODES, run_jobs, write_job

HEAD = """import functools
import logging
import math
import warnings

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

logger = logging.getLogger(__name__)


class Net(nn.Cell):
    def construct(self, x: Tensor, flag=None):
"""
# Each compiled on MindSpore 2.10 in STRICT and LAX, static and dynamic, to PYNATIVE's values.
ACCEPTED = [
    "return x * x.max().item()",
    "return x * float(x.max())",
    "return x + np.finfo(np.float32).min",
    "return x.masked_fill(x > 0, -np.inf)",
    "return x[:, np.newaxis] * np.pi / np.sqrt(64)",
    "return x / math.sqrt(64)",
    "return x * np.float32(2)",
    "m = np.ones((2, 3)) * 2\nreturn x + Tensor(m, ms.float32)",
    "return x + Tensor(np.ones((2, 3)), ms.float32)",
    "return x + ms.Tensor([1.0, 2.0, 3.0])",
    "return ops.full([x.shape[0], 3], 1.0, dtype=ms.float32)",
    "if x.dtype == np.float32:\n    return x\nreturn x + 1",
    "a, *rest = x.shape\nreturn x * rest[0]",
    "f = lambda y: y + 1\nreturn f(x)",
    "f, g = lambda y: y + 1, lambda y: y * 2\nreturn g(f(x))",
    "ys = list(map(lambda v: v + 1, (x, x)))\nreturn ys[0]",
    "return x * sum(s for s in x.shape)",
    "s = {i: i for i in range(3)}\nreturn x + s[1]",
    "while x.sum() < 10:\n    x = x + 1\nreturn x",
    "for i in range(3):\n    if x.sum() > 2:\n        break\n    x = x + 1\nreturn x",
    "if x.sum() > 100:\n    raise ValueError(f'large {x.sum()}')\nreturn x + 1",
    "y = x\nif x.sum() > 0:\n    y = x[:1]\nreturn y",
    "y = x[0] * 0\nfor i in range(x.shape[0]):\n    y = y + x[i]\nreturn y",
    "items = [x]\nitems.append(x * 2)\nitems.pop()\nreturn items[0]",
    "d = {'a': x}\nd.update({'b': x * 2})\nreturn d.get('b')",
    "y = x * 1\ny[..., 0] = 0.0\nreturn y",
    "y = x * 1\ny += 1\nreturn y",
    "x[:, 0] = 9.0\nreturn x",
    "return x[None].transpose(0, 2, 1)",
    "v, i = x.max(dim=-1)\nreturn v",
    "return x.max(axis=-1) + x.max()",
    "return x.reshape(-1).argmax() + x.argmax(-1).sum()",
    "return x.expand_as(x).view(3, 2).permute(1, 0)",
    "logger.warning('hi')\nwarnings.warn('hi')\nprint('shape', x.shape)\nreturn x",
    "assert x.ndim == 2, f'bad {x.shape}'\nreturn x",
    "if x.ndim > 5:\n    raise ValueError('bad {}'.format(type(x)))\nreturn x",
    "return nn.ReLU()(x)",
    "for i in reversed(range(3)):\n    x = x * 2 - i\nreturn x",
    "g = functools.partial(ops.add, x)\nreturn g(x)",
    "if flag is None:\n    flag = ops.ones_like(x)\nreturn x * flag",
    "if isinstance(x, (list, tuple)):\n    return x[0]\nreturn x",
    "n = int(x.shape[0] / 2) + x.shape[1] // 2 + len(x.shape)\nreturn x * n",
    "y = x.add_(2.0)\nreturn y",
    "return (x, x)[1] * x.size * x.itemsize",
    "if not ops.is_tensor(flag):\n    flag = ms.tensor([2], dtype=ms.float32)\nreturn x * flag",
    "t = 3\nif not isinstance(t, Tensor):\n    t = Tensor([t], ms.float32)\nreturn x * t",
    "def fill(t):\n    t[:, 0] = 9.0\n    return t * 2\nreturn fill(x)",
    "def outer(t, n=1, **rest):\n    return t * n\n"
    "def inner(t, **rest):\n"
    "    rest = {key: value for key, value in rest.items() if key != 'n'}\n"
    "    return outer(t, n=2, **rest)\n"
    "return inner(x, n=3)",
]


def text_of(body: str) -> str:
    lines = [f"        {line}" for line in body.splitlines()]
    return HEAD + "\n".join(lines) + "\n"


@pytest.mark.parametrize("body", ACCEPTED)
def test_code_that_compiles_gives_no_finding(body: str) -> None:
    assert [str(item) for item in check_source(text_of(body), Path("net.py"))] == []


def test_all_of_it_compiles_in_every_mode(tmp_path: Path) -> None:
    for number, body in enumerate(ACCEPTED):
        write_job(tmp_path / str(number), {"good": text_of(body)}, {"good": ALL_MODES})
    reports = run_jobs(tmp_path)
    runs = {body: reports[str(number)]["good"] for number, body in enumerate(ACCEPTED)}
    wrong = {
        body: modes
        for body, modes in runs.items()
        if not all(run.get("same") for run in modes.values())
    }
    assert wrong == {}
