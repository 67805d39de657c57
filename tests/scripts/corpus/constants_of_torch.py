import math
import torch
a = torch.pi
b = torch.inf
c = torch.tensor([torch.nan]).isnan()
d = torch.finfo(torch.float32).eps
e = torch.iinfo(torch.int64).max
f = torch.tensor(math.pi)
g = torch.e
