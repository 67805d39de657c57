import torch

x = torch.tensor([1, 2, 3])
a = x.dtype
b = x.float().dtype
c = torch.float16
d = x.to(torch.int32)
e = x.double()
f = x.type(torch.float32)
g = x.dtype == torch.int64
h = x.bool()
i = x.to(dtype=torch.float64).half()
