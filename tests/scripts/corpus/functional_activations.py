import torch
import torch.nn.functional as F

x = torch.tensor([-2.0, -0.5, 0.0, 1.5])
a = F.relu(x)
b = F.gelu(x)
c = F.softmax(x, dim=0)
d = F.log_softmax(input=x, dim=-1)
e = F.leaky_relu(x, negative_slope=0.1)
f = F.elu(x)
g = F.silu(x)
h = F.hardtanh(x, -1.0, 1.0)
i = F.softplus(x)
j = torch.sigmoid(x)
k = F.normalize(x, dim=0)
