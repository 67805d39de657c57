import torch
mask = torch.tensor([True, False, True])
a = mask.sum()
b = mask.float().mean()
c = mask.all()
d = torch.any(mask)
e = mask.int()
f = mask + 1
g = mask * torch.tensor([1.5, 2.5, 3.5])
h = mask.long().cumsum(0)
