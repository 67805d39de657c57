import torch

x = torch.tensor([1.0, 2.0])
result = x.add_(torch.tensor([10.0, 20.0]))
other = x
other.sub_(1)
chain = torch.ones(2).mul_(3).add_(1)
x.mul_(2).sub_(1)
