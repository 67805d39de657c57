# mypy: ignore-errors
"""Hold the hand-written port of tiny_source, which the parity tests copy and then spoil."""

from dataclasses import dataclass

import mindspore as ms
from mindspore import Parameter, nn, ops


@dataclass
class Sizes:
    """The sizes of the module, as an object of the source."""

    hidden: int = 6


class Tiny(nn.Cell):
    """The port of tiny_source.Tiny."""

    def __init__(self, features, sizes):
        super().__init__()
        self.project = nn.Dense(features, sizes.hidden)
        self.norm = nn.LayerNorm((sizes.hidden,), epsilon=1e-3)
        self.shift = Parameter(
            ops.full((sizes.hidden,), 0.5, dtype=ms.float32), requires_grad=False
        )

    def construct(self, x, mask=None, scale=1.0):
        h = self.norm(self.project(x)) + self.shift
        scores = ops.matmul(h, h.swapaxes(1, 2)) * scale
        if mask is not None:
            scores = scores + (1.0 - mask[:, None, :].astype(ms.float32)) * -1e4
        h = ops.matmul(ops.softmax(scores, axis=-1), h)
        return h, h.mean(axis=1)

    def pool(self, x):
        return {"pooled": self.project(x).mean(axis=1)}
