import torch
x = torch.arange(6).reshape(2, 3)
rows = [row.sum().item() for row in x]
squares = torch.tensor([i * i for i in range(4)])
stacked = torch.stack([x[i] for i in range(x.shape[0])])
