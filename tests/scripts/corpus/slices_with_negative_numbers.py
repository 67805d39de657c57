import torch
x = torch.arange(10)
a = x[-3:]
b = x[:-1]
c = x[2:8:3]
d = x[torch.arange(9, -1, -1)]
e = x[[-1, 0]]
y = torch.arange(24).reshape(2, 3, 4)
f = y[-1, :, 1:-1]
g = y[..., -1]
h = y[:, [0, 2], 1]
i = y[1][2][3]
