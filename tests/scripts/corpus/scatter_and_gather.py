import torch
x = torch.zeros(2, 3)
index = torch.tensor([[0, 2], [1, 0]])
a = x.scatter(1, index, torch.ones(2, 2))
b = x.scatter_add(1, index, torch.ones(2, 2))
c = torch.gather(torch.arange(6.0).reshape(2, 3), dim=1, index=index)
x.scatter_(1, index, 5.0)
d = torch.scatter(torch.zeros(2, 3), 0, torch.tensor([[1, 0, 1]]), torch.tensor([[1.0, 2.0, 3.0]]))
e = torch.take_along_dim(torch.tensor([[3, 1, 2]]), torch.tensor([[1, 2, 0]]), dim=1)
