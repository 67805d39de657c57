import torch

x = torch.tensor([[1.0, 4.0], [9.0, 16.0]])
out = torch.zeros(2, 2)
a = torch.sqrt(input=x, out=out)
b = torch.sum(x, dim=0, out=torch.empty(2))
c = torch.matmul(x, x, out=out)
d = torch.clamp(x, 2, 5, out=out)
e = torch.stack((x, x), out=torch.empty(0))
f = torch.arange(3, out=torch.empty(0))
values = torch.empty(0)
indices = torch.empty(0, dtype=torch.int64)
g = torch.sort(x, out=(values, indices))
h = torch.topk(x, 1, out=(values, indices))
