import torch

shape = torch.empty(2, 3).shape
a = torch.zeros(shape)
b = torch.ones(torch.zeros(4, 1).size())
c = torch.full(shape, 2.0)
d = torch.zeros(a.size(0), a.size(1) + 1)
e = torch.zeros(*shape)
