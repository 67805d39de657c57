import torch
shape = (2, 3)
a = torch.zeros(*shape)
b = torch.ones([*shape, 4])
first, *rest = torch.arange(3).tolist()
c = torch.stack([*torch.unbind(torch.ones(2, 2))])
d = a.reshape(*shape[::-1])
