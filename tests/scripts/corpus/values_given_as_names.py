import torch

dim, keepdim = 1, False
x = torch.tensor([[1, 2, 3], [3, 4, 6]])
a = torch.max(x, dim, keepdim)
size = (2, 2)
value = 5
b = torch.full(size, value)
dtype = torch.float64
c = torch.zeros(size, dtype=dtype)
p = 2
d = torch.norm(c + 1, p)
