import torch

x = torch.arange(8.0).reshape(2, 2, 2) + torch.eye(2)
a = torch.matmul(x, x)
b = torch.bmm(x, x.transpose(1, 2))
c = torch.linalg.norm(x, dim=(1, 2))
d = torch.linalg.matrix_norm(x)
e = torch.linalg.vector_norm(x, dim=-1)
f = torch.inverse(x)
g = torch.linalg.multi_dot([x[0], x[1], x[0]])
h = torch.triu(x, diagonal=1)
i = torch.tensordot(x, x, dims=1)
