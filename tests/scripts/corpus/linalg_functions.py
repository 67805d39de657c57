import torch

x = torch.tensor([[4.0, 1.0], [2.0, 3.0]])
a = torch.linalg.inv(x)
b = torch.linalg.norm(x)
c = torch.linalg.vector_norm(x, ord=1)
d = x @ x
e = torch.matmul(x, torch.tensor([1.0, 2.0]))
f = torch.mm(x, x)
g = torch.einsum("ij,jk->ik", x, x)
h = torch.outer(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
i = torch.dot(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
j = torch.trace(x)
