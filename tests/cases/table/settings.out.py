"""Settings that no value depends on."""

from mindspore import ops
x = ops.ones((2,))
