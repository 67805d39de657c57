import torch as t
from torch import arange, tensor
from torch.nn.functional import relu

x = tensor([-1.0, 1.0])
a = relu(x)
b = arange(3)
c = t.sum(x)
