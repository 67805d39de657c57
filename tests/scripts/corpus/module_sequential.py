import torch
import torch.nn as nn
model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
for parameter in model.parameters():
    nn.init.constant_(parameter, 0.5)
result = model(torch.tensor([[1.0, -2.0]]))
first = model[0](torch.ones(1, 2))
length = len(model)
