import torch

x = torch.tensor([0.1, 0.5])
a = torch.asin(x)
b = torch.acos(x)
c = torch.atan(x)
d = torch.sinh(x)
e = torch.cosh(x)
f = torch.atanh(x)
g = torch.tan(x)
h = torch.arcsinh(x)
i = torch.deg2rad(torch.tensor([180.0]))
j = torch.hypot(x, x)
