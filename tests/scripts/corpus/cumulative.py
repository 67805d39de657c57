import torch
x = torch.tensor([[1.0, 3.0, 2.0]])
a = torch.cumsum(x, dim=1)
b = torch.cumprod(x, 1)
c = torch.cummax(x, dim=1)
d = x.cummin(1).values
e = torch.diff(x)
f = torch.logcumsumexp(x, dim=1)
