import torch

a = torch.tensor([1, 2, 3])
b = torch.tensor([True, False, True])
c = torch.tensor([0.5, 1.5, 2.5], dtype=torch.float64)
joined = torch.cat([a, c])
ones = torch.cat((torch.ones(2), a))
stacked = torch.stack([a, b])
beside = torch.hstack([a, c])
below = torch.vstack((b, a))
twice = torch.cat([b, a.int(), c]).sum()
small = torch.stack([torch.tensor(1), torch.tensor(2.5)])
