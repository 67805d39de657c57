import torch

a = torch.tensor([[1, 2], [3, 4]])
b = torch.tensor([[1.5, 2], [3, 4]])
c = torch.tensor([True, False])
d = torch.tensor(5)
e = torch.tensor(2.5)
f = torch.tensor([], dtype=torch.float32)
g = torch.tensor([1, 2], dtype=torch.float64)
h = torch.tensor([[[1], [2]], [[3], [4]]])
i = torch.tensor((1, 2, 3))
