import torch
from torch import nn
from torch.autograd import Function


class Rounding(Function):
    """Rounds forward, and lets gradients of small values through."""

    @staticmethod
    def forward(ctx, x, scale: float = 2.0):
        ctx.scale = scale
        # What backward needs.
        ctx.save_for_backward(x)
        return torch.round(x * scale) / scale

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        kept = grad_output.transpose(0, 1).transpose(0, 1)
        return kept * (x.abs() < ctx.scale), None


class Pair(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        ctx.set_materialize_grads(True)
        return a * b, a + b

    @staticmethod
    def backward(ctx, first, second):
        a, b = ctx.saved_tensors
        grad_a = grad_b = None
        if ctx.needs_input_grad[0]:
            grad_a = first * b + 2 * second
        if ctx.needs_input_grad[1]:
            grad_b = first * a + 3 * second
        return grad_a, grad_b


class Reversed(Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, grad):
        return -0.5 * grad


reverse = Reversed.apply


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.pair = Pair.apply
        self.linear = nn.Linear(8, 8)

    def forward(self, x):
        y = Rounding.apply(self.linear(x), 4.0)
        y = y + reverse(x)
        product, total = self.pair(Rounding.apply(y), x)
        return product.transpose(0, 1) + total.transpose(0, 1)
