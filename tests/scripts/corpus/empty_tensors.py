import torch

x = torch.zeros(0, 3)
b = x.shape
c = torch.cat([x, torch.ones(1, 3)])
d = x.numel()
e = torch.ones(2)[torch.tensor([False, False])]
