import torch

data = torch.tensor([23.0, 32.0])
flag = 2 if not data.requires_grad else 1
asked = data.requires_grad == False  # noqa: E712
leaf = data.is_leaf
none = data.grad is None
off = torch.ones(2, requires_grad=False)
off.requires_grad = False
still = off.requires_grad
