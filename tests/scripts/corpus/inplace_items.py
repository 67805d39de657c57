import torch

x = torch.arange(6.0).reshape(2, 3)
x[0].fill_(7)
x[:, 1].mul_(2)
x[1] += 1
x[1, 2] *= 3
