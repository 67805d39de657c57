import torch
import torch.nn as nn
x = torch.arange(24.0).reshape(2, 3, 4)
a = nn.LayerNorm(4)(x)
b = nn.LayerNorm([3, 4], eps=1e-3)(x)
c = nn.GroupNorm(1, 3)(x)
d = nn.InstanceNorm1d(3)(x)
e = nn.LayerNorm(normalized_shape=(4,), elementwise_affine=False)(x)
