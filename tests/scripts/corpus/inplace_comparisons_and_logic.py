import torch

x = torch.tensor([1.0, 2.0, 3.0])
x.gt_(1.5)
y = torch.tensor([True, False])
y.logical_not_()
z = torch.tensor([1, 2, 3])
z.bitwise_and_(1)
w = torch.tensor([4.0, 2.0])
w.pow_(2).sqrt_()
v = torch.tensor([-1.0, 5.0])
v.neg_().abs_()
