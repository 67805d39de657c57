"""Keep the arguments of a constructor as a configuration."""

from __future__ import annotations

import mindspore as ms
import numpy as np
from mindspore import nn

from porter.runtime.calling import parameter_names
from porter.runtime.configured import ConfigMixin, ModelMixin, register_to_config


class Net(ModelMixin, ConfigMixin):
    """Multiply by one argument and add the other."""

    ignore_for_config = ["secret"]  # noqa: RUF012 - as a source writes it

    @register_to_config
    def __init__(self, width: int, depth: int = 2, secret: int = 3) -> None:
        super().__init__()
        self.layer = nn.Dense(width, width)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.layer(x) * self.config.depth + self.config["width"]


def test_arguments_and_defaults_are_kept() -> None:
    net = Net(4, secret=5)
    assert dict(net.config.items()) == {"width": 4, "depth": 2}
    assert "depth" in net.config
    assert net.config.get("other", 7) == 7
    assert net.dtype == ms.float32
    assert Net.from_config({"width": 3, "depth": 1, "unknown": 0}).config.depth == 1


def test_a_graph_reads_them() -> None:
    net = Net(4, depth=3)
    x = ms.Tensor(np.ones((2, 4), np.float32))
    expected = net.layer(x).asnumpy() * 3 + 4
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        np.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-6)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_the_parameters_of_what_is_called_are_named() -> None:
    assert parameter_names(Net(4)) == ("x",)
    assert parameter_names(test_a_graph_reads_them) == ()
