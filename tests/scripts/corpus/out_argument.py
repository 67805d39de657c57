import torch

x = torch.tensor([1.0, 2.0])
y = torch.tensor([3.0, 4.0])
out = torch.empty(2)
result = torch.add(x, y, out=out)
torch.mul(x, y, out=x)
torch.sub(input=y, other=1, out=y)
z = torch.zeros(0)
torch.cat((x, y), dim=0, out=z)
