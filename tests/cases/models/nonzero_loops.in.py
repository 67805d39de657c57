import torch
from torch import nn


class Experts(nn.Module):
    """Each row goes to two experts; a turn of the loop is for an expert that a row goes to."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(5, 8, 8))

    def forward(self, x: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
        result = torch.zeros_like(x)
        with torch.no_grad():
            mask = nn.functional.one_hot(chosen, 5)
            hit = torch.greater(mask.sum(dim=(0, 1)), 0).nonzero()
        for expert in hit:
            expert = expert[0]
            rows, place = torch.where(mask[:, :, expert])
            # The rows of this expert.
            result.index_add_(0, rows, x[rows] @ self.weight[expert])
        return result


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(8, 5)
        self.experts = Experts()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.reshape(-1, 8)
        x = self.experts(x, self.score(x).topk(2).indices)
        total = x.sum() * 0
        positive = torch.nonzero(x.amax(1) > 0)
        for row in positive[:]:
            total = total + x[row[0]].max() * (row[0] + 1)
        return x + total
