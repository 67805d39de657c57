import torch

x = torch.zeros(2, 3)
x.unsqueeze_(0)
x.squeeze_(0)
x.transpose_(0, 1)
y = torch.ones(2, 3)
y.t_()
