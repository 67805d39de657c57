import torch
x = torch.arange(6.0).reshape(2, 3)
a = torch.einsum("ij->ji", x)
b = torch.einsum("ij->", x)
c = torch.einsum("ij,kj->ik", x, x)
d = torch.einsum("bij,bjk->bik", x[None], x.T[None])
