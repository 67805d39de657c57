import torch

x = torch.arange(6).reshape(2, 3)
a = torch.flip(x, dims=(0,))
b = torch.rot90(x)
c = torch.fliplr(x)
d = torch.roll(x, shifts=1, dims=1)
e = torch.swapaxes(x, 0, 1)
f = torch.movedim(x, 0, -1)
g = torch.flipud(x)
h = x.roll(2)
