import torch
x = torch.arange(6).view(2, 3)
y = x.t()
z = y[0]
total = z.sum()
flat = y.reshape(-1)
w = x.unsqueeze(0).squeeze(0)
