import torch
import torch.nn as nn
layer = nn.Linear(2, 3, bias=False)
has_bias = layer.bias is not None
shape = tuple(layer.weight.shape)
count = sum(p.numel() for p in layer.parameters())
