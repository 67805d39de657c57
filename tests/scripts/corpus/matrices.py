import torch
a = torch.arange(6.0).reshape(2, 3)
b = a.T
c = a @ b
d = torch.bmm(a.unsqueeze(0), b.unsqueeze(0))
e = torch.baddbmm(torch.ones(1, 2, 2), a.unsqueeze(0), b.unsqueeze(0))
f = torch.addmm(torch.ones(2, 2), a, b, beta=2, alpha=0.5)
g = torch.mv(a, torch.ones(3))
h = torch.tril(c)
i = torch.diag(c)
j = torch.diagonal(c)
k = torch.kron(torch.eye(2), c)
m = torch.block_diag(a, b)
n = torch.cross(torch.tensor([1.0, 0.0, 0.0]), torch.tensor([0.0, 1.0, 0.0]), dim=0)
