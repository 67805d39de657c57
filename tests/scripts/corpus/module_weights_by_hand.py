import torch
import torch.nn as nn

layer = nn.Linear(2, 2)
layer.weight = nn.Parameter(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
layer.bias.data = torch.tensor([0.5, -0.5])
a = layer(torch.tensor([[1.0, 1.0]]))
nn.init.constant_(layer.weight, 0.25)
nn.init.zeros_(layer.bias)
b = layer(torch.tensor([[1.0, 1.0]]))
layer.weight.data.fill_(2.0)
c = layer(torch.tensor([[1.0, 1.0]]))
layer.weight.data.copy_(torch.eye(2))
d = layer(torch.tensor([[1.0, 3.0]]))
