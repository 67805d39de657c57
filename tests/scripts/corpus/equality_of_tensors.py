import torch
x = torch.tensor([1, 2])
a = torch.equal(x, torch.tensor([1, 2]))
b = (x == 1).tolist()
c = torch.all(x == x)
d = x.eq(torch.tensor([1, 3])).sum().item()
e = torch.allclose(x.float(), x.float() + 1e-9)
f = x is x
g = (x != 2).any().item()
h = torch.isclose(torch.tensor([1.0]), torch.tensor([1.1]), atol=0.2)
