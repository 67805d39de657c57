import torch
a = torch.Tensor([1, 2])
b = torch.FloatTensor([1.5, 2.5])
c = torch.LongTensor([1, 2])
d = torch.Tensor(2, 3).shape
e = torch.IntTensor([3])
f = torch.BoolTensor([True])
