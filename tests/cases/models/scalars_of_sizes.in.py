import torch
from torch import nn


def scale_of(query: torch.Tensor, factor: int) -> torch.Tensor:
    return torch.sqrt(torch.tensor(query.size(-1), dtype=torch.float) * factor)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        count = torch.tensor(x.shape[1], dtype=x.dtype, device=x.device)
        last = torch.tensor(x.shape[1] - 1)
        half = torch.tensor(x.shape[0] / 4)
        return self.linear(x) / scale_of(x, 3) + count + x[:, last].unsqueeze(1) * half
