import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
asked = x.requires_grad
leaf = x.is_leaf
doubled = (x * 2).detach()
