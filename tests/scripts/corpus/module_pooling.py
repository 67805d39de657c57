import torch
import torch.nn as nn
x = torch.arange(32.0).reshape(1, 2, 4, 4)
a = nn.MaxPool2d(2, stride=1)(x)
b = nn.AvgPool2d(2)(x)
c = nn.AdaptiveAvgPool2d((1, 1))(x)
d = nn.AdaptiveMaxPool2d(2)(x)
e = nn.Upsample(scale_factor=2, mode="nearest")(x)
f = nn.ZeroPad2d(1)(x)
g = nn.PixelShuffle(1)(x)
