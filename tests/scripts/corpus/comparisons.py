import torch

x = torch.tensor([1.0, 2.0, 3.0])
y = torch.tensor([1.0, 2.5, 3.0])
a = torch.allclose(x, y)
b = torch.equal(x, x.clone())
c = torch.eq(x, y)
d = (x == y).all()
e = torch.lt(x, other=y)
f = x.ne(y).any()
g = torch.isclose(x, y)
h = x.equal(y)
i = torch.maximum(x, y)
