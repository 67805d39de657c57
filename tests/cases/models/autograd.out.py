from mindspore import nn, ops

from .runtime.autograd import gradients
from .runtime.elementary import absolute


class Rounding(nn.Cell):
    """Rounds forward, and lets gradients of small values through."""

    def construct(self, x, scale):
        output, _ = self.forward({"needs_input_grad": (True, True)}, x, scale)
        return output

    def bprop(self, x, scale, output, gradient):
        _, ctx = self.forward({"needs_input_grad": (True, True)}, x, scale)
        return gradients(self.backward(ctx, gradient), (x, scale))

    @staticmethod
    def forward(ctx, x, scale: float = 2.0):
        ctx["scale"] = scale
        # What backward needs.
        ctx["saved_tensors"] = (x,)
        return ops.round(x * scale) / scale, ctx

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx["saved_tensors"]
        kept = grad_output.swapaxes(0, 1).swapaxes(0, 1)
        return kept * (absolute(x) < ctx["scale"]), None


class Pair(nn.Cell):
    def construct(self, a, b):
        output, _ = self.forward({"needs_input_grad": (True, True)}, a, b)
        return output

    def bprop(self, a, b, output, gradient):
        _, ctx = self.forward({"needs_input_grad": (True, True)}, a, b)
        return gradients(self.backward(ctx, *gradient), (a, b))

    @staticmethod
    def forward(ctx, a, b):
        ctx["saved_tensors"] = (a, b)
        return (a * b, a + b), ctx

    @staticmethod
    def backward(ctx, first, second):
        a, b = ctx["saved_tensors"]
        grad_a = grad_b = None
        if ctx["needs_input_grad"][0]:
            grad_a = first * b + 2 * second
        if ctx["needs_input_grad"][1]:
            grad_b = first * a + 3 * second
        return grad_a, grad_b


class Reversed(nn.Cell):
    def construct(self, x):
        output, _ = self.forward({"needs_input_grad": (True,)}, x)
        return output

    def bprop(self, x, output, gradient):
        _, ctx = self.forward({"needs_input_grad": (True,)}, x)
        return gradients(self.backward(ctx, gradient), (x,))

    @staticmethod
    def forward(ctx, x):
        return x, ctx

    @staticmethod
    def backward(ctx, grad):
        return -0.5 * grad


reverse = Reversed()


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.pair = Pair()
        self.linear = nn.Dense(8, 8)

    def construct(self, x):
        y = Rounding()(self.linear(x), 4.0)
        y = y + reverse(x)
        product, total = self.pair(Rounding()(y, 2.0), x)
        return product.swapaxes(0, 1) + total.swapaxes(0, 1)
