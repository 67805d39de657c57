import torch

x = torch.tensor([[1.5, 2.5], [3.0, 4.0]])
a = x.sum().item()
b = x.tolist()
c = x[0, 0].item()
d = float(x.mean())
e = int(torch.tensor(7))
f = bool(torch.tensor(1) > 0)
g = torch.tensor([1, 2]).tolist()
h = torch.tensor(True).item()
i = x.max().item() + 1
