import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        total = x.sum()
        for place in x.nonzero():
            total = total + place.sum()
        places = torch.nonzero(x)
        for place in places:
            total = total + x[place[0], place[1]]
        return total + places.shape[0]
