"""A `try` of which nothing stays, and one of which something does."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.rnn = nn.LSTM(width, width, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # gone
        try:  # gone
            self.rnn.flatten_parameters()
        except:
            pass
        result, _ = self.rnn(x)
        return result


class Kept(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.rnn = nn.GRU(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.rnn.flatten_parameters()
        try:
            x = x + 1
        except ValueError:
            pass
        return self.rnn(x)[0]
