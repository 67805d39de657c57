import torch
out = torch.zeros(2, dtype=torch.float64)
result = torch.add(torch.tensor([1.0, 2.0]), 1, out=out)
same = result is out
