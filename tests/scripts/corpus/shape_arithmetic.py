import torch
x = torch.zeros(2, 3, 4)
batch, *rest = x.shape
n = x.shape[0] * x.shape[1]
a = x.view(n, -1).shape
b = x.shape[:-1] + (8,)
c = torch.zeros(b).shape == (2, 3, 8)
d = list(reversed(x.shape))
e = x.size()[1:]
f = x.reshape(x.size(0), -1).size(1)
g = tuple(s * 2 for s in x.shape)
h = 4 in x.shape
