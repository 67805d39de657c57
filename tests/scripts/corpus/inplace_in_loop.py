import torch

x = torch.zeros(2)
for i in range(4):
    x.add_(i)
n = 0
while x[0] > 0:
    x.sub_(2)
    n += 1
