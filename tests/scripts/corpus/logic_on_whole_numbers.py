import torch

a = torch.tensor([1, 0, 3])
b = torch.tensor([True, False, True])
c = torch.logical_and(a, b)
d = ~b
e = a & 1
f = b | torch.tensor([False, True, False])
g = a ^ 2
h = torch.logical_not(a)
i = a.any()
j = torch.bitwise_and(a, torch.tensor([1, 1, 1]))
k = a << 1
