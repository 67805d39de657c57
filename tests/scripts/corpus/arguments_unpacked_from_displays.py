import torch

x = torch.arange(6.0).reshape(2, 3)
swap = (0, 1)
settings = {"dim": 1, "keepdim": True}
named = dict(dim0=0, dim1=-1)
everything = (x, 0, 1)
turned = x.transpose(*(0, 1))
again = torch.transpose(*everything)
made = (torch.ones(2, 3), 1, 0)
made_here = torch.transpose(*made)
third = torch.transpose(x, *swap)
fourth = x.transpose(**named)
total = torch.sum(x, **settings)
mean = x.mean(**settings).shape
direct = torch.sum(x, **{"dim": 0}, dtype=torch.float64)
first = swap[0]
clamped = torch.clamp(x, *[-1, 2])


def own(*values, **options):
    return len(values) + len(options)


counted = own(*swap, **settings)
