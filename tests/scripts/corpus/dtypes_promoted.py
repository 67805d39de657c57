import torch

i = torch.tensor([1, 2, 3])
f = torch.tensor([0.5, 1.5, 2.5])
a = i + f
b = i / 2
c = i * 2.5
d = i // 2
e = f**2
g = i > 1
h = i + True
k = torch.tensor([True, False, True]) + i
m = i % 2
n = -f
p = f.double() + f
q = i.to(torch.int32) + i
