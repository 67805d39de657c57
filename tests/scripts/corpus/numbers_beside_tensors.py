import torch
x = torch.tensor([2.0, 4.0])
a = 1 - x
b = 10 / x
c = 3 ** x
d = 7 // x
e = 5 % x
f = -x + 1
g = 2 * x - x / 2
h = (1 + x) * (1 - x)
i = abs(-x)
j = sum([x, x])
k = max(x)
m = x.pow(2).sum().sqrt()
