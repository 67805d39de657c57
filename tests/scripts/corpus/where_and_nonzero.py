import torch
x = torch.tensor([0, 3, 0, 5])
rows = torch.nonzero(x)
places = torch.where(x > 0)
a = torch.where(x > 0, x, -1)
b = x.nonzero(as_tuple=True)[0]
c = torch.count_nonzero(x)
d = torch.argwhere(x)
