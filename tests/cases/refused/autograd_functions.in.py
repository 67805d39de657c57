import torch
from torch.autograd import Function


class Dirty(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad


class Separate(Function):
    @staticmethod
    def forward(x):
        return x * 2

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.x = inputs[0]

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Starred(Function):
    @staticmethod
    def forward(ctx, *tensors):
        return tensors[0]

    @staticmethod
    def backward(ctx, grad):
        return grad


class Handed(Function):
    @staticmethod
    def forward(ctx, x):
        keep(ctx, x)
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad


class OneWay(Function):
    @staticmethod
    def forward(ctx, x):
        return x


def keep(ctx, x):
    ctx.x = x


class Scaled(Function):
    @staticmethod
    def forward(ctx, x, scale=2.0):
        return x * scale

    @staticmethod
    def backward(ctx, grad):
        return grad, None


scaled = Scaled.apply


class Noise(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.noise = torch.rand_like(x)
        return x * ctx.noise

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.noise
