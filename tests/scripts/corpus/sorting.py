import torch

x = torch.tensor([3.0, 1.0, 2.0])
values, indices = torch.sort(x)
a = torch.sort(x, descending=True)
b = torch.argsort(x)
c = torch.topk(x, 2)
d = x.topk(k=1, largest=False).values
e = torch.unique(torch.tensor([1, 3, 1]))
f = torch.sort(x)[0]
g = torch.kthvalue(x, 2)
