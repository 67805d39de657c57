import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(2, 1)
fill(model)
before = model.weight.detach()
kept = model.weight.detach().clone()
listed = [p.data for p in model.parameters()]
opt = torch.optim.SGD(model.parameters(), lr=0.5)
opt.zero_grad()
loss = model(torch.ones(1, 2)).sum()
loss.backward()
opt.step()
moved = (before - kept).abs().sum().item()
first = listed[0].clone()
