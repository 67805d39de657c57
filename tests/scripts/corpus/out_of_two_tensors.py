import torch

x = torch.tensor([[1.0, 5.0], [4.0, 2.0]])
values, indices = torch.empty(2), torch.empty(2, dtype=torch.int64)
torch.max(x, dim=1, out=(values, indices))
pair = [torch.tensor(0.0), torch.tensor(0)]
torch.min(x, 0, out=pair)
