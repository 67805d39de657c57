import torch

x = torch.tensor([1.7, -2.3, 0.0])
a = x.int()
b = x.long()
c = x.bool()
d = x.double()
e = x.to(torch.int8)
f = x.type_as(torch.tensor([1]))
g = torch.tensor([1, 0]).float()
h = x.half()
i = x.to(x.dtype)
j = x.short()
