"""A function that is called after a name it sees was bound again."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(8, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.late(x) + self.looked_up(x.long())

    def late(self, x: torch.Tensor) -> torch.Tensor:
        def double() -> torch.Tensor:
            return x * 2

        x = x.unsqueeze(0)
        return double()

    def looked_up(self, ids: torch.Tensor) -> torch.Tensor:
        try:
            # the range is the caller's business
            found = self.table(ids)
        except IndexError as error:
            raise IndexError("ids are below 8") from error
        return found
