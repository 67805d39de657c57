"""Keep false alarms out that were seen in real code, and the checker fast."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from porter.check.checker import check_files, check_source
from porter.check.project import find_files
from porter.source.read import locate_module

HEAD = """import math

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, mint, nn, ops
from mindspore.ops import functional as F


"""
QUIET = {
    "a number that may be a tensor": """class Net(nn.Cell):
    def construct(self, x, step):
        if not ops.is_tensor(step):
            step = ms.tensor([step], dtype=ms.float32)
        return x * step
""",
    "a helper that changes its argument and gives a result": """def masked(scores, keep):
    scores[keep] = 0.0
    return ops.softmax(scores)


class Net(nn.Cell):
    def construct(self, x, keep):
        return masked(x, keep)
""",
    "a property is read, not set": """class Net(nn.Cell):
    @property
    def mode(self):
        return self._mode

    @mode.setter
    def mode(self, value):
        self._mode = value

    def construct(self, x):
        return x if self.mode else x + 1
""",
    "a number that distributed calls give": """class Net(nn.Cell):
    def construct(self, x):
        for _ in range(mint.distributed.get_world_size()):
            x = x + 1
        return x
""",
    "the length of what may be a list": """class Net(nn.Cell):
    def construct(self, xs):
        return int(np.ceil(len(xs) / 2))
""",
    "a keyword that is taken out of **kwargs first": """def inner(x, causal=False):
    return x


def outer(x, **kwargs):
    kwargs.pop("causal")  # porter: ignore
    return inner(x, causal=True, **kwargs)


class Net(nn.Cell):
    def construct(self, x):
        return outer(x, causal=True)
""",
    "a Parameter that another method makes": """class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.prepare()

    def prepare(self):
        self.step = Parameter(Tensor(0, ms.int32), name="step")

    def construct(self, x):
        self.step = self.step + 1
        return x
""",
    "a Parameter that is updated in place": """class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.step = Parameter(Tensor(0.0), name="step")

    def construct(self, x):
        self.step.add_(x.sum())
        return x
""",
    "a count that is no tensor": """class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.times = int(math.log(8, 2))

    def construct(self, x):
        for _ in range(self.times):
            x = x + 1
        for _ in range(F.tuple_len(x)):
            x = x + 1
        return x
""",
    "a function that is run at compile time": """from mindspore.ops import constexpr


@constexpr
def mask(n):
    try:
        return Tensor(np.ones(n), ms.float32)
    except ValueError:
        return None


class Net(nn.Cell):
    def construct(self, x):
        return x * mask(x.shape[0])
""",
    "a method of a text and of a list": """class Net(nn.Cell):
    def construct(self, x, names=("a", "b")):
        return x * names.index("b")
""",
    "a list where a tensor is announced": """class Net(nn.Cell):
    def construct(self, x: Tensor, mask: Tensor, parts: Tensor):
        if isinstance(x, (tuple, list)):
            return tuple(part + len(x) for part in x)
        if parts is None or not isinstance(parts, tuple):
            return x
        if not isinstance(mask, list):
            mask = list(mask.unsqueeze(1))
        return [part * len(mask) for part in parts]
""",
    "an object where a tensor is announced": """class ModelOutput(dict):
    pass


class Net(nn.Cell):
    def construct(self, x: Tensor, outputs: Tensor, flag=True):
        if flag and not isinstance(outputs, ModelOutput):
            outputs = outputs + (x,)
        for part in outputs:
            x = x + part * len(outputs)
        return x
""",
    "Cells of a plain list that are named one by one": """class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Dense(3, 3), nn.Dense(3, 3)]
        for number, layer in enumerate(self.layers):
            self.insert_child_to_cell(str(number), layer)

    def construct(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
""",
    "a seed that is set": """class Net(nn.Cell):
    def construct(self, x, seed=0):
        np.random.seed(seed)
        return x
""",
    "training that is set first, and Cells whose later use nothing tells": """class Net(nn.Cell):
    def construct(self, x):
        return x if self.training else x + 1


def run(wrap, x):
    net = Net()
    net.set_train(False)
    net(x)
    net.set_train()
    other = Net()
    other(x)
    wrap(other)
    other.set_train()
    third = Net()
    third(x)
    third = Net().set_train()
    fourth = Net()
    fourth(x)
    fourth.set_train(False)
    return net(x) + third(x) + fourth(x)
""",
    "keywords of methods of other objects": """class Net(nn.Cell):
    def construct(self, x, rows: list, names="a b"):
        rows.sort(key=1)
        return x.argmax(dim=1, keepdim=True).sum(dim=1) + x.split(2, axis=1)[0]
""",
    "a method that nothing compiled calls": """class Net(nn.Cell):
    def construct(self, x):
        return x

    def load(self, path):
        with open(path) as stream:
            return np.array(stream.read())
""",
    "a class without construct": """class Reader:
    def transform(self, x):
        try:
            return x.asnumpy().transpose(0, 1)
        except ValueError:
            return None
""",
}


@pytest.mark.parametrize("text", QUIET.values(), ids=QUIET)
def test_there_is_no_false_alarm(text: str) -> None:
    assert [str(item) for item in check_source(HEAD + text, Path("net.py"))] == []


def test_a_construct_that_is_no_cells_is_left_alone(tmp_path: Path) -> None:
    text = "from plans import Plan\n\n\nclass Step(Plan):\n    def construct(self, x):\n"
    assert check_source(f"{text}        self.nodes = x\n", tmp_path / "step.py") == ()


def test_fifty_thousand_lines_are_checked_in_a_second() -> None:
    place = locate_module("mindspore")
    assert place is not None
    files = find_files([place.parent])
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    assert lines > 100_000
    started = time.process_time()
    checked = check_files(files)
    seconds = time.process_time() - started
    assert lines / seconds > 50_000
    # MindSpore compiles its own Cells: what is found there is code that runs on the host.
    assert len(checked.problems) < 25
