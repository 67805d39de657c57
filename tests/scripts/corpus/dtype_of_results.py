import torch
i = torch.tensor([1, 2, 3])
a = (i / i).dtype
b = i.float().mean().dtype
c = torch.sum(torch.tensor([True])).dtype
d = (i > 1).dtype
e = torch.argmax(i).dtype
f = torch.arange(3).dtype
g = torch.arange(0, 1, 0.5).dtype
h = (i + 1.5).dtype
k = torch.sqrt(i).dtype
m = torch.tensor([1.0], dtype=torch.float64).sum().dtype
o = torch.where(i > 1, i, i * 2).dtype
p = torch.bincount(i).dtype
q = (i * True).dtype
