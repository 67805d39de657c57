import torch
x = torch.tensor([[1.0, 2.0, 3.0], [3.0, 1.0, 0.0]])
shifted = x - x.max(dim=1, keepdim=True).values
e = shifted.exp()
a = e / e.sum(dim=1, keepdim=True)
b = torch.softmax(x, dim=1)
same = torch.allclose(a, b)
c = -torch.log(a[torch.arange(2), torch.tensor([2, 0])]).mean()
