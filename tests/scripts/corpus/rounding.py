import torch
x = torch.tensor([-1.5, 0.5, 1.5, 2.7])
a = torch.round(x)
b = torch.trunc(x)
c = torch.frac(x)
d = torch.ceil(x)
e = torch.floor_divide(x, 2)
f = x // 1
g = x % 2
h = torch.fix(x)
i = torch.round(torch.tensor([1.234]), decimals=2)
