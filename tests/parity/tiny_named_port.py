# mypy: ignore-errors
"""Hold the hand-written port of tiny_source.Named, which uses the runtime of a port."""

from dataclasses import dataclass

import mindspore as ms
from mindspore import nn, ops

from .runtime.outputs import NamedOutputCell, named_output


@dataclass
class Parts:
    """A named output; the second part is there only where it was asked for."""

    hidden: ms.Tensor
    pooled: ms.Tensor | None = None


class Named(NamedOutputCell):
    """The port of tiny_source.Named."""

    output_class = Parts

    def __init__(self, features):
        super().__init__()
        self.project = nn.Dense(features, 3)

    def construct(self, x, want=False):
        h = ops.sigmoid(self.project(x))
        return named_output(hidden=h, pooled=h.mean(axis=1) if want else None)
