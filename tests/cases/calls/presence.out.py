import mindspore as ms
from mindspore import nn, ops

_has_silu = True
_has_nothing = False


class Model(nn.Cell):
    def construct(self, x: ms.Tensor) -> ms.Tensor:
        if True and _has_silu and not hasattr(x, "no_such_attribute"):
            x = ops.softmax(ops.silu(x), axis=-1)
        return x
