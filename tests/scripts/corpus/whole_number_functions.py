import torch
x = torch.tensor([12, 18])
y = torch.tensor([8, 27])
a = torch.gcd(x, y)
b = torch.lcm(x, y)
c = torch.bitwise_or(x, y)
d = torch.bitwise_xor(x, y)
e = ~x
f = x >> 1
g = torch.bitwise_left_shift(x, 2)
h = x // 5
i = -x // 5
j = x % -5
k = torch.abs(-x)
m = x ** 2
