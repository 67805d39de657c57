import torch
a = torch.tensor([1], dtype=torch.uint8) + torch.tensor([1], dtype=torch.int8)
b = torch.tensor([1], dtype=torch.int32) + torch.tensor([1])
c = torch.tensor([1.0], dtype=torch.float16) + torch.tensor([1.0])
d = torch.tensor([1], dtype=torch.int16) * 2
e = torch.tensor([1], dtype=torch.int32) * 2.5
f = torch.tensor([1.0], dtype=torch.float64) + 1
g = torch.tensor(1) + torch.tensor([1.0], dtype=torch.float16)
h = torch.tensor([True]) * 3
