import torch
a, b = torch.ones(2), torch.zeros(2)
a, b = b, a
a += 1
b -= 1
