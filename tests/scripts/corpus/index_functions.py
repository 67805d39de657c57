import torch
x = torch.arange(6.0).reshape(3, 2)
i = torch.tensor([0, 2])
a = x.index_select(0, i)
b = x.index_fill(0, i, -1)
c = x.index_add(0, i, torch.ones(2, 2))
d = x.index_copy(0, i, torch.zeros(2, 2))
e = torch.index_add(x, 0, i, torch.ones(2, 2))
unchanged = x
