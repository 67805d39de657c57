import torch

x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
result = torch.transpose(input=x, dim0=0, dim1=1)
again = torch.transpose(dim1=1, dim0=0, input=x)
method = x.transpose(-1, -2)
