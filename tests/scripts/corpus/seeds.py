import torch

torch.manual_seed(0)
a = torch.rand(2, 3)
b = torch.randn(4)
c = torch.randint(0, 10, (2, 2))
d = torch.randperm(5)
e = torch.rand_like(a)
f = torch.normal(0.0, 1.0, (2, 2))
