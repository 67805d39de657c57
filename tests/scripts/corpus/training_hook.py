# refused: PRT214
import torch

x = torch.tensor([1.0], requires_grad=True)
x.register_hook(lambda g: g * 2)
(x * 3).sum().backward()
result = x.grad
