import torch
x = torch.ones(2, requires_grad=True)
with torch.no_grad():
    y = x * 2
    y.add_(1)


@torch.no_grad()
def doubled(t):
    return t * 2


z = doubled(x)
