import torch

x = torch.arange(24).reshape(2, 3, 4)
a = x.view(6, 4)
b = x.view(-1)
c = x.reshape((4, 6))
d = torch.reshape(x, (3, -1))
e = x.flatten(1)
f = torch.flatten(x, start_dim=0, end_dim=1)
g = x.permute(2, 0, 1)
h = torch.permute(x, dims=(1, 0, 2))
i = x.unsqueeze(0)
j = torch.unsqueeze(x, dim=-1)
k = j.squeeze(-1)
m = x.t() if x.dim() < 3 else x.mT
n = torch.movedim(x, 0, 2)
o = x.unflatten(2, (2, 2))
