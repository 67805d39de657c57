"""Tensors whose dtype the source says: whole numbers where MindSpore has no kernel for them."""

import mindspore as ms
from mindspore import mint, nn, ops

if __package__:
    from .runtime.elementary import absolute, exp
    from .runtime.elementwise import bitwise_not, tanh
    from .runtime.reductions import max_along
else:
    from runtime.elementary import absolute, exp
    from runtime.elementwise import bitwise_not, tanh
    from runtime.reductions import max_along


class Model(nn.Cell):
    def construct(self, x: ms.Tensor, ids: ms.Tensor, mask: ms.Tensor):
        counts = mint.sum(mask, dim=-1)
        a = exp(ids.astype(ms.float32)) + ops.log(counts.astype(ms.float32)) + ops.sqrt(ids.float()) + exp(x)
        b = ops.atan2(ids.astype(ms.float32), other=x).cos()
        c = ops.sigmoid(ops.arange(3).astype(ms.float32)) + ops.sin(ops.arange(3.0))
        d = bitwise_not(ids), ~mask, ~(x > 0)
        e = mask.astype(ms.int64), (x > 0).astype(ms.int64), x + 0, ids * 1, mask.astype(ms.int64)
        f = ids, x.floor(), counts
        values, places = max_along(x, -1)
        g = ops.log(places.astype(ms.float32)), ops.log(values), ops.log(ms.tensor([1, 2]).astype(ms.float32))
        h = absolute(ops.rfft(x)), absolute(ops.Complex()(x[..., 0], x[..., 1]))
        i = tanh(ids / 2), tanh((ids // 2).astype(ms.float32)), tanh(ids * 2.0), tanh((ids + mask).astype(ms.float32))
        j = tanh((ids if x.ndim > 1 else counts).astype(ms.float32)), tanh(ids if x.ndim > 1 else x)
        return a, b, c, d, e, f, g, h, i, j


numbers = ms.tensor([[1, 2], [3, 4]])
roots = ops.sqrt(numbers.astype(ms.float32)), numbers.astype(ms.float32).sqrt(), ops.sqrt(numbers.astype(ms.float64)), ms.tensor(2).astype(ms.float32).sqrt()
bits = bitwise_not(numbers), ~(numbers > 2), (numbers > 2) * 1
