# refused: PRT214
import torch

x = torch.zeros(3, requires_grad=True)
y = torch.zeros(3)
y[0] = x[0] * 2
y.add_(x)
loss = y.sum()
loss.backward()
g = x.grad
