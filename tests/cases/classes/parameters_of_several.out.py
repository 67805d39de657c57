"""A parameter of a module that is one of several classes: their Cells name it differently."""

from mindspore import mint, nn, ops

from .runtime.inplace import update
from .runtime.parameters import named_in_torch


class Layer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm((4,), epsilon=1e-05)
        self.table = nn.Embedding(9, 4)
        self.dense = nn.Dense(4, 4)
        self.apply(self.start)

    def start(self, module):
        if isinstance(module, (nn.Dense, nn.Embedding, nn.LayerNorm)):
            update(named_in_torch(module, "weight"), ops.full_like(named_in_torch(module, "weight"), 0.5))
        if isinstance(module, (nn.Dense, nn.LayerNorm)):
            update(named_in_torch(module, "bias"), ops.full_like(named_in_torch(module, "bias"), 0.25))
        if isinstance(module, (nn.LayerNorm, mint.nn.GroupNorm)):
            update(named_in_torch(module, "weight"), ops.full_like(named_in_torch(module, "weight").data, 1.0))
