import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 1))
fill(model)
count = sum(p.numel() for p in model.parameters())
optimizer = torch.optim.AdamW(model.parameters(), lr=0.05, weight_decay=0.3)
x = torch.sin(torch.arange(18.0)).view(6, 3)
for step in range(4):
    loss = (model(x) - 1).pow(2).mean()
    loss = loss + 0.01 * sum(p.pow(2).sum() for p in model.parameters())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
mean = model[1].running_mean.clone()
variance = model[1].running_var.clone()
weights = [p.detach() for p in model.parameters()]
