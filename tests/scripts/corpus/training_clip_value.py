import torch
import torch.nn as nn
from torch.nn.utils import clip_grad_value_

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(3, 1)
fill(model)
opt = torch.optim.RMSprop(model.parameters(), lr=0.01)
x = torch.sin(torch.arange(12.0)).view(4, 3) * 5
y = torch.ones(4, 1) * 10
for _ in range(4):
    opt.zero_grad()
    loss = nn.L1Loss()(model(x), y) + nn.MSELoss()(model(x), y)
    loss.backward()
    clip_grad_value_(model.parameters(), 0.1)
    opt.step()
weights = [p.detach() for p in model.parameters()]
