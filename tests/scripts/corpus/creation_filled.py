import torch

a = torch.zeros(2, 3)
b = torch.ones((2, 3), dtype=torch.int64)
c = torch.full((2, 2), 7)
d = torch.full(size=(2, 2), fill_value=1.5)
e = torch.full((1,), True)
f = torch.zeros_like(b, dtype=torch.float64)
g = torch.full_like(a, 3)
h = torch.ones_like(b)
