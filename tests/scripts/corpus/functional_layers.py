import torch
import torch.nn.functional as F

x = torch.arange(16.0).reshape(1, 1, 4, 4)
w = torch.ones(1, 1, 2, 2)
a = F.conv2d(x, w)
b = F.max_pool2d(x, 2)
c = F.avg_pool2d(x, kernel_size=2)
d = F.pad(x, (1, 1))
e = F.linear(torch.ones(2, 3), torch.ones(4, 3), torch.ones(4))
f = F.interpolate(x, scale_factor=2)
g = F.one_hot(torch.tensor([0, 2]), num_classes=3)
h = F.layer_norm(x, (4, 4))
i = F.adaptive_avg_pool2d(x, 1)
j = F.embedding(torch.tensor([1, 0]), torch.eye(2))
