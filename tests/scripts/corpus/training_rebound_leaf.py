# refused: PRT214
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
a = x
x = x * 3
y = (x ** 2).sum()
y.backward()
g = a.grad
