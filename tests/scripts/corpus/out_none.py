import torch

x = torch.tensor([1.0, 4.0])
result = torch.sqrt(x, out=None)
