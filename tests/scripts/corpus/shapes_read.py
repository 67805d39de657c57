import torch

x = torch.zeros(2, 3, 4)
a = x.shape
b = x.size()
c = x.size(1)
d = x.size(dim=-1)
e = x.shape[0]
f = x.dim()
g = x.ndim
h = x.numel()
i = len(x)
j = tuple(x.shape)
k = list(x.size())
m = x.ndimension()
n = x.nelement()
