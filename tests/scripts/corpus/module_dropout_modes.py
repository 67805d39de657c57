import torch

drop = torch.nn.Dropout(p=0.0)
x = torch.ones(2, 3)
a = drop(x)
drop.eval()
b = drop(x)
