import torch
x = torch.tensor([[1.0, 2.0]])
a = x.new_zeros(2, 3)
b = x.new_ones((2,), dtype=torch.int64)
c = x.new_full((1, 2), 3.5)
d = x.new_tensor([1, 2, 3])
