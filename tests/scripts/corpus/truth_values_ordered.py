import torch

b = torch.tensor([True, False, True])
largest = torch.max(b)
smallest = b.min()
values, places = torch.sort(b.reshape(1, 3))
different = torch.unique(b)
scalar = torch.tensor(3.0)
running = torch.cumsum(scalar, 0)
ordered = torch.sort(scalar)
