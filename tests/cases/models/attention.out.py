"""A block of attention, as models write it."""


import mindspore as ms
from mindspore import mint, nn, ops

from .runtime.creation import finfo
from .runtime.elementwise import gelu, tanh


class Attention(nn.Cell):
    """Attend over the positions of a sequence."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.size = width // heads
        self.query = nn.Dense(width, width)
        self.key = nn.Dense(width, width)
        self.value = nn.Dense(width, width)
        self.output = nn.Dense(width, width)
        self.dropout = nn.Dropout(p=0.1)

    def split(self, x: ms.Tensor) -> ms.Tensor:
        batch, length, _ = x.shape
        return x.view((batch, length, self.heads, self.size)).permute((0, 2, 1, 3))

    def construct(self, x: ms.Tensor, mask: ms.Tensor | None = None) -> ms.Tensor:
        query, key, value = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = ops.matmul(query, key.swapaxes(-1, -2)) / (self.size ** 0.5)
        if mask is not None:
            scores = ops.masked_fill(scores, mask == 0, finfo(scores.dtype).min)
        weights = self.dropout(ops.softmax(scores, axis=-1))
        context = ops.matmul(weights, value).permute((0, 2, 1, 3)).contiguous()
        return self.output(context.view((*context.shape[:-2], -1)))


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([Attention(8, 2) for _ in range(2)])
        self.head = nn.Dense(8, 3, has_bias=False)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        for layer in self.layers:
            x = x + layer(x)
        x = gelu(self.head(x))
        x = x * 2
        scale = ops.stop_gradient(tanh(mint.sum(x, dim=1, keepdim=True)))
        return ops.cat([x, -ops.flip(x, (1,))], axis=1) * (scale + 1)
