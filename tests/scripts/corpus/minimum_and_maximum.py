import torch
x = torch.tensor([1.0, 5.0])
y = torch.tensor([3.0, 2.0])
a = torch.max(x, y)
b = torch.minimum(input=x, other=y)
c = torch.fmax(x, y)
d = max(x.tolist())
e = x.max(dim=0)
f = torch.max(input=x, dim=0, keepdim=True)[1]
g = torch.min(x, other=y)
