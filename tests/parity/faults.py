"""Plant one fault at a time in a ported Q-Former, and name the module that has it."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import nn

LAYER_PARTS = ("own", "cross")


@dataclass(frozen=True)
class Fault:
    """A kind of fault: `places` names the modules that can have it; `plant` changes one of them.

    Where `plant` returns text, it is the source of the module's class with the fault in it.
    """

    kind: str
    places: Callable[[int], list[str]]
    plant: Callable[[Any, str], str | None]


def attentions(depth: int) -> list[str]:
    return [f"layers.{i}.{part}.attention" for i in range(depth) for part in LAYER_PARTS]


def own_attentions(depth: int) -> list[str]:
    return [f"layers.{i}.own.attention" for i in range(depth)]


def crossings(depth: int) -> list[str]:
    return [f"layers.{i}.cross.attention" for i in range(depth)]


def outputs(depth: int) -> list[str]:
    blocks = [f"layers.{i}.{part}" for i in range(depth) for part in (*LAYER_PARTS, "feed_forward")]
    return [f"{block}.output" for block in blocks]


def feed_forwards(depth: int) -> list[str]:
    return [f"layers.{i}.feed_forward" for i in range(depth)]


def layers(depth: int) -> list[str]:
    return [f"layers.{i}" for i in range(depth)]


def norms(depth: int) -> list[str]:
    return [f"{path}.norm" for path in outputs(depth)] + ["norm"]


def dropouts(depth: int) -> list[str]:
    return [f"{path}.dropout" for path in outputs(depth)] + ["dropout"]


def activations(depth: int) -> list[str]:
    return [f"{path}.activation" for path in feed_forwards(depth)]


def square(depth: int) -> list[str]:
    inner = [f"{path}.query" for path in attentions(depth)]
    outer = [f"layers.{i}.{part}.output.dense" for i in range(depth) for part in LAYER_PARTS]
    return [*inner, *outer, "pooler"]


def dense(depth: int) -> list[str]:
    keys = [f"{path}.{name}" for path in attentions(depth) for name in ("key", "value")]
    return [*keys, *(f"{path}.dense" for path in feed_forwards(depth)), *square(depth)]


def root(_depth: int) -> list[str]:
    return [""]


def replaced(old: str, new: str) -> Callable[[Any, str], str]:
    """Return a plant that replaces a piece of the class's source."""

    def plant(_cell: Any, source: str) -> str:
        assert old in source, old
        return source.replace(old, new)

    return plant


def with_weight(name: str, change: Callable[[Any], Any]) -> Callable[[Any, str], None]:
    """Return a plant that changes the values of a parameter."""

    def plant(cell: Any, _source: str) -> None:
        parameter = getattr(cell, name)
        values = np.ascontiguousarray(change(parameter.asnumpy()))
        parameter.set_data(ms.Tensor(values.astype(np.float32)))

    return plant


def with_attribute(name: str, change: Callable[[Any], Any]) -> Callable[[Any, str], None]:
    """Return a plant that changes an attribute."""

    def plant(cell: Any, _source: str) -> None:
        setattr(cell, name, change(getattr(cell, name)))

    return plant


def exchanged_norm(cell: Any, _source: str) -> None:
    gamma, beta = cell.gamma.asnumpy(), cell.beta.asnumpy()
    cell.gamma.set_data(ms.Tensor(beta))
    cell.beta.set_data(ms.Tensor(gamma))


def other_epsilon(cell: Any, _source: str) -> None:
    changed = nn.LayerNorm(cell.normalized_shape, epsilon=1e-5)
    cell.layer_norm = changed.layer_norm


def in_training(cell: Any, _source: str) -> None:
    cell.set_train(True)


FAULTS = [
    Fault("dropped scale", attentions, replaced(" * self.scale", "")),
    Fault("scale of the whole width", attentions, with_attribute("scale", lambda s: s / 2)),
    Fault("swapped axes at the merge", attentions, replaced("value).swapaxes(1, 2)", "value)")),
    Fault("softmax over queries", attentions, replaced("axis=-1", "axis=-2")),
    Fault("query and key exchanged", own_attentions, replaced("(query, key.", "(key, query.")),
    Fault("keys as values", attentions, replaced("self.value(source)", "self.key(source)")),
    Fault("mask ignored", crossings, replaced("mask is not None", "mask is None")),
    Fault("mask inverted", crossings, replaced("== 0, -1e30", "!= 0, -1e30")),
    Fault("mask value too small", crossings, replaced("-1e30", "-1.0")),
    Fault(
        "wrong number of heads", attentions, replaced("self.heads, self.size", "-1, self.size * 2")
    ),
    Fault("missing residual", outputs, replaced("hidden + residual", "hidden")),
    Fault("doubled residual", outputs, replaced("+ residual", "+ 2.0 * residual")),
    Fault("subtracted residual", outputs, replaced("hidden + residual", "residual - hidden")),
    Fault("norm before residual", outputs, replaced("(hidden + residual)", "(hidden) + residual")),
    Fault("missing norm", outputs, replaced("self.norm(hidden + residual)", "(hidden + residual)")),
    Fault("missing activation", feed_forwards, replaced("self.activation(", "(")),
    Fault("sigmoid for activation", feed_forwards, replaced("self.activation(", "ops.sigmoid(")),
    Fault("residual of another place", feed_forwards, replaced(", hidden)", ", hidden * 0.5)")),
    Fault("block left out", layers, replaced("self.own(hidden, hidden)", "hidden")),
    Fault(
        "image of the wrong order", layers, replaced("attended, image", "attended, image[:, ::-1]")
    ),
    Fault("last token pooled", root, replaced("hidden[:, 0]", "hidden[:, -1]")),
    Fault("missing tanh", root, replaced("tanh(self", "(self")),
    Fault("tanh GELU for erf", activations, lambda cell, _s: setattr(cell, "approximate", "tanh")),
    Fault("wrong epsilon", norms, other_epsilon),
    Fault("scale and shift exchanged", norms, exchanged_norm),
    Fault("left in training mode", dropouts, in_training),
    Fault("transposed weight", square, with_weight("weight", np.transpose)),
    Fault("missing bias", dense, with_weight("bias", np.zeros_like)),
    Fault("rows in another order", dense, with_weight("weight", lambda w: np.roll(w, 1, axis=0))),
    Fault("weight rounded to float16", dense, with_weight("weight", np.float16)),
]


def draw(count: int, depth: int, seed: int) -> list[tuple[Fault, str]]:
    """Return faults with their places: every kind equally often, places at random."""
    generator = random.Random(seed)
    drawn = [FAULTS[index % len(FAULTS)] for index in range(count)]
    return [(fault, generator.choice(fault.places(depth))) for fault in drawn]


def plant(network: Any, fault: Fault, place: str, port: Path, number: int) -> None:
    """Put the fault into the module of the network at `place`; `port` is the ported file."""
    cell = dict(network.cells_and_names())[place]
    source = port.read_text()
    name = type(cell).__name__
    start = source.find(f"class {name}(")
    end = source.find("\n\n\nclass ", start)
    body = source[start : end if end > 0 else len(source)]
    changed = fault.plant(cell, body)
    if changed is None:
        return
    path = port.with_name(f"fault_{number}.py")
    path.write_text(source.replace(body, changed))
    module_name = f"{type(cell).__module__.rpartition('.')[0]}.{path.stem}"
    specification = importlib.util.spec_from_file_location(module_name, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[module_name] = module
    specification.loader.exec_module(module)
    cell.__class__ = getattr(module, name)
