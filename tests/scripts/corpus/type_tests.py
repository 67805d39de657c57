import torch

x = torch.ones(2)
a = isinstance(x, torch.Tensor)
b = torch.is_tensor(x)
c = torch.is_tensor([1])
d = x.is_floating_point()
e = torch.is_floating_point(torch.tensor([1]))
f = isinstance(x.shape, tuple)
g = isinstance(torch.nn.ReLU(), torch.nn.Module)
h = hasattr(x, "shape")
