import torch

x = torch.arange(12).reshape(4, 3)
a, b = torch.split(x, 2)
c = x.split([1, 3], dim=0)
d = torch.chunk(x, chunks=3, dim=1)
e = torch.tensor_split(x, 3)
f = torch.unbind(x, dim=1)
g = torch.hsplit(x, 3)
h = torch.vsplit(x, [1, 3])
i = x.unfold(0, 2, 1)
