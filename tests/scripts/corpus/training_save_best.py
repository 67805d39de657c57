import copy

import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(2, 1)
fill(model)
optimizer = torch.optim.NAdam(model.parameters(), lr=0.05)
x = torch.sin(torch.arange(12.0)).view(6, 2)
best_loss = 1e9
best_w = None
for epoch in range(5):
    model.train()
    pred = model(x)
    loss = (pred - 1).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.eval()
    with torch.no_grad():
        val_loss = (model(x) - 1).abs().mean()
    if val_loss < best_loss:
        best_loss = val_loss.item()
        best_w = model.weight.detach().clone()
