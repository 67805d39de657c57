from mindspore import nn, ops

from .runtime.autograd import gradients


class Dirty(nn.Cell):
    def construct(self, x):
        output, _ = self.forward({"needs_input_grad": (True,)}, x)
        return output

    def bprop(self, x, output, gradient):
        _, ctx = self.forward({"needs_input_grad": (True,)}, x)
        return gradients(self.backward(ctx, gradient), (x,))

    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x, ctx

    @staticmethod
    def backward(ctx, grad):
        return grad


class Separate(nn.Cell):
    @staticmethod
    def forward(x):
        return x * 2

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.x = inputs[0]

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Starred(nn.Cell):
    @staticmethod
    def forward(ctx, *tensors):
        return tensors[0]

    @staticmethod
    def backward(ctx, grad):
        return grad


class Handed(nn.Cell):
    def construct(self, x):
        output, _ = self.forward({"needs_input_grad": (True,)}, x)
        return output

    def bprop(self, x, output, gradient):
        _, ctx = self.forward({"needs_input_grad": (True,)}, x)
        return gradients(self.backward(ctx, gradient), (x,))

    @staticmethod
    def forward(ctx, x):
        keep(ctx, x)
        return x, ctx

    @staticmethod
    def backward(ctx, grad):
        return grad


class OneWay(nn.Cell):
    @staticmethod
    def forward(ctx, x):
        return x


def keep(ctx, x):
    ctx.x = x


class Scaled(nn.Cell):
    def construct(self, x, scale):
        output, _ = self.forward({"needs_input_grad": (True, True)}, x, scale)
        return output

    def bprop(self, x, scale, output, gradient):
        _, ctx = self.forward({"needs_input_grad": (True, True)}, x, scale)
        return gradients(self.backward(ctx, gradient), (x, scale))

    @staticmethod
    def forward(ctx, x, scale=2.0):
        return x * scale, ctx

    @staticmethod
    def backward(ctx, grad):
        return grad, None


scaled = Scaled.apply


class Noise(nn.Cell):
    @staticmethod
    def forward(ctx, x):
        ctx.noise = ops.rand_like(x)
        return x * ctx.noise

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.noise
