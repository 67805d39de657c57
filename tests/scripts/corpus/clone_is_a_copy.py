import torch
x = torch.tensor([1.0, 2.0])
y = x.clone()
z = torch.clone(input=x)
x.add_(1)
