import torch
from torch import nn


def build(width):
    layers = [nn.Linear(width, width), nn.ReLU(), nn.Dropout(0.5)]
    return nn.Sequential(*layers)


model = build(2).eval()
for p in model.parameters():
    nn.init.constant_(p, 1.0)
result = model(torch.ones(1, 2))
