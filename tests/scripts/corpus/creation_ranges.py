import torch

a = torch.arange(5)
b = torch.arange(1, 4)
c = torch.arange(1, 2.5, 0.5)
d = torch.arange(start=0, end=10, step=3)
e = torch.linspace(0, 1, 5)
f = torch.linspace(start=-2, end=2, steps=3)
g = torch.eye(3)
h = torch.eye(2, 3, dtype=torch.int64)
i = torch.logspace(0, 2, 3)
