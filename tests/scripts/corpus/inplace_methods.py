import torch

x = torch.tensor([1.0, -2.0, 3.0])
x.add_(1)
x.mul_(torch.tensor([2.0, 3.0, 4.0]))
x.clamp_(min=0)
y = torch.zeros(2, 2)
y.fill_(3)
z = torch.ones(3)
z.zero_()
w = torch.tensor([4.0, 9.0]).sqrt_()
