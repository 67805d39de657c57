"""Provide recurrent cells that begin with a state of zeros where none is given, as torch's do."""

# ruff: noqa: A002
# mypy: allow-subclassing-any

from __future__ import annotations

from mindspore import Tensor, nn, ops


def _zeros(input: Tensor, hidden_size: int) -> Tensor:
    return ops.zeros((input.shape[0], hidden_size), input.dtype)


class RNNCell(nn.RNNCell):
    """Compute one step of a plain recurrent network: [batch, in] -> [batch, hidden]."""

    def construct(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        state = _zeros(input, self.hidden_size) if hx is None else hx
        return super().construct(input, state)


class GRUCell(nn.GRUCell):
    """Compute one step of a gated recurrent unit: [batch, in] -> [batch, hidden]."""

    def construct(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        state = _zeros(input, self.hidden_size) if hx is None else hx
        return super().construct(input, state)


class LSTMCell(nn.LSTMCell):
    """Compute one step of an LSTM: [batch, in] -> two of [batch, hidden]."""

    def construct(
        self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, Tensor]:
        zeros = _zeros(input, self.hidden_size)
        hidden, cell = super().construct(input, (zeros, zeros) if hx is None else hx)
        return hidden, cell
