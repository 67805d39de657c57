import torch
import torch.nn as nn

x = torch.tensor([[-3.0, -0.5, 0.0, 0.5, 3.0]])
a = nn.ELU(alpha=0.5)(x)
b = nn.SELU()(x)
c = nn.Hardswish()(x)
d = nn.Hardtanh(min_val=-1, max_val=2)(x)
e = nn.Softplus()(x)
f = nn.LogSoftmax(dim=1)(x)
g = nn.PReLU()(x)
h = nn.SiLU()(x)
i = nn.Mish()(x)
j = nn.Threshold(0.1, 20)(x)
k = nn.ReLU6()(x)
m = nn.Tanhshrink()(x)
n = nn.Softmin(dim=1)(x)
