# refused: PRT102
import torch

x = torch.tensor([2.0], requires_grad=True)
y = (x * x).sum()
y.backward()
result = x.grad
