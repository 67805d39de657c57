import torch

x = torch.tensor([[1, 2]])
y = torch.tensor([[3, 4]])
a = torch.cat([x, y])
b = torch.cat(tensors=(x, y), dim=1)
c = torch.stack([x, y], dim=0)
d = torch.hstack((x, y))
e = torch.vstack((x, y))
f = torch.concat((x, y), -1)
g, h = torch.chunk(torch.arange(4), 2)
i = torch.split(torch.arange(5), 2)
j = torch.split(torch.arange(5), [1, 4])
k = x.unbind(0)
