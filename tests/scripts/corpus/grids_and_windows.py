import torch
a, b = torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij")
c = torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4]))

e = torch.hann_window(4)
f = torch.tril_indices(3, 3)
g = torch.triu_indices(2, 3)
h = torch.vander(torch.tensor([1.0, 2.0]))
