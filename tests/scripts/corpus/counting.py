import torch

x = torch.tensor([1, 2, 2, 5])
a = torch.bincount(x)
b, c = torch.unique(x, return_counts=True)
d = torch.unique(x, sorted=True, return_inverse=True)
e = torch.histc(torch.tensor([1.0, 2.0, 1.0]), bins=4, min=0, max=3)
f = torch.unique_consecutive(x)
g = torch.bucketize(torch.tensor([1.5, 3.0]), torch.tensor([1.0, 2.0, 3.0]))
h = torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([2, 5]))
i = torch.isin(x, torch.tensor([2]))
