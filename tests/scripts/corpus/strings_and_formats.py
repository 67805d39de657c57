import torch
x = torch.ones(2, 3)
a = str(tuple(x.shape))
b = f"{x.size(0)}x{x.size(1)}"
c = "sum: {}".format(x.sum().item())
d = "%d" % x.numel()
