import torch

a = torch.tensor(3.0)
b = a * 2
c = a.shape
d = a.unsqueeze(0)
e = a + torch.tensor([1.0, 2.0])
f = torch.stack([a, b])
g = a.reshape(1, 1)
h = a.item()
i = torch.tensor(4) / torch.tensor(8)
