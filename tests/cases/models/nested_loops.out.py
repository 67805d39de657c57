import mindspore as ms
from mindspore import mint, nn, ops

from .runtime.containers import flat


class Model(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Dense(8, 8)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        y = self.linear(x)
        parts = flat([[y[:, :4][:, row::2, col::2] for row in range(2)] for col in range(2)])
        sums = tuple(
            flat(flat([[[mint.sum(a, dim=1) * i + j + k for k in range(2)] for j in range(2) if i != j] for (i, a) in enumerate(parts)]))
        )
        return mint.sum(ops.cat(parts, axis=-1), dim=1) + ops.cat(sums, axis=-1)[:, :16]
