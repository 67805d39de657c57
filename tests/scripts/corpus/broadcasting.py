import torch

a = torch.ones(3, 1) + torch.arange(4.0)
b = torch.tensor([[1], [2]]) * torch.tensor([10, 20, 30])
c = torch.broadcast_to(torch.tensor([1, 2]), (3, 2))
d = torch.ones(2, 1, 3).expand(2, 4, 3)
e = torch.tensor([1.0, 2.0]) - 1
f = 5 - torch.tensor([1, 2])
g = 1 / torch.tensor([2.0, 4.0])
h = 2 ** torch.tensor([1, 2, 3])
