import torch
import torch.nn as nn
conv = nn.Conv2d(1, 2, kernel_size=3, padding=1)
nn.init.constant_(conv.weight, 0.1)
nn.init.zeros_(conv.bias)
result = conv(torch.arange(16.0).reshape(1, 1, 4, 4))
shape = conv.weight.shape
up = nn.ConvTranspose2d(1, 1, 2, stride=2, bias=False)
nn.init.ones_(up.weight)
large = up(torch.ones(1, 1, 2, 2))
