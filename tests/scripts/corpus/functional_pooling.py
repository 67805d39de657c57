import torch
import torch.nn.functional as F
x = torch.arange(8.0).reshape(1, 1, 8)
a = F.max_pool1d(x, 2)
b = F.avg_pool1d(x, kernel_size=2, stride=1)
c = F.adaptive_avg_pool1d(x, 4)
d = F.adaptive_max_pool1d(x, 2)
e = F.interpolate(x, size=4)
f = F.unfold(torch.arange(9.0).reshape(1, 1, 3, 3), 2)
g = torch.max_pool1d(x, 2)
h = torch.conv1d(x, torch.ones(1, 1, 3))
