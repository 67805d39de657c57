import torch
x = torch.tensor([[3.0, 1.0], [2.0, 4.0]])
result = torch.max(x, dim=1)
values = result.values
indices = result.indices
first = result[0]
top = torch.topk(x, k=1, dim=1)
pair = (top.values, top.indices)
ordered = x.sort(dim=0)
smallest = x.min(1)[1]
