import torch
x = torch.tensor([1, 2, 3])
a = torch.tensor(x.tolist())
b = torch.as_tensor(x)
c = torch.tensor([x.sum().item(), 1])
d = torch.zeros_like(x, dtype=torch.bool)
e = torch.empty_like(x).shape
f = torch.full_like(x, 2.0, dtype=torch.float32)
g = torch.rand_like(x.float()).shape
h = torch.stack([torch.tensor(1), torch.tensor(2)])
