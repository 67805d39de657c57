import torch

x = torch.arange(12.0).reshape(3, 4)
a = x[x > 5]
b = x[[0, 2]]
c = x[torch.tensor([1, 1])]
d = x[torch.tensor([0, 1]), torch.tensor([2, 3])]
e = x[:, [1, 0]]
mask = torch.tensor([True, False, True])
f = x[mask]
