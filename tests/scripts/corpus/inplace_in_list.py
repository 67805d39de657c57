import torch
parts = [torch.zeros(2), torch.ones(2)]
for part in parts:
    part.add_(1)
parts[0].mul_(5)
total = parts[0] + parts[1]
