import torch
x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
a = torch.sum(x, dim=None)
b = torch.argmax(x, dim=None)
c = torch.clamp(x, min=None, max=2)
d = torch.zeros(2, dtype=None)
e = x.flatten(0)
f = torch.cumsum(x, 0, dtype=None)
