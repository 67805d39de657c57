import torch
import torch.nn as nn

x = torch.tensor([[-1.0, 0.5, 2.0]])
a = nn.ReLU()(x)
b = nn.Softmax(dim=-1)(x)
c = nn.GELU()(x)
d = nn.LeakyReLU(0.2)(x)
e = nn.Sequential(nn.Tanh(), nn.Sigmoid())(x)
f = nn.Flatten()(x.reshape(1, 3, 1))
g = nn.MaxPool1d(2)(x.unsqueeze(0))
h = nn.Identity()(x)
