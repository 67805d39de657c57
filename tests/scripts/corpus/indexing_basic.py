import torch

x = torch.arange(12.0).reshape(3, 4)
a = x[0]
b = x[:, 1]
c = x[1:, ::2]
d = x[-1, -1]
e = x[..., 0]
f = x[None]
g = x[0, 1:3]
h = x[:, None, 2]
