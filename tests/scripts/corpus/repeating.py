import torch

x = torch.tensor([1, 2])
a = x.repeat(3)
b = x.repeat(2, 2)
c = torch.repeat_interleave(x, 2)
d = x.repeat_interleave(2)
e = x.unsqueeze(1).expand(2, 3)
f = x.unsqueeze(1).expand(-1, 2)
g = torch.tile(x, (2,))
h = x.expand_as(torch.ones(3, 2))
