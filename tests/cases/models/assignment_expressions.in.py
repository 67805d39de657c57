import torch
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor, mask=None) -> torch.Tensor:
        # The mask may come as a dictionary.
        if not isinstance(masks := mask, dict):
            masks = {"full": torch.ones(x.size(0), 1, 1) * 3}
        y = (hidden := self.linear(x)) + hidden * 2
        if x.size(0) == 17:
            y = y - 1
        elif (rows := x.size(0)) > 1:
            y = y * rows
        return y * masks["full"]
