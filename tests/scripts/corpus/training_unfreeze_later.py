# refused: PRT215
import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
fill(model)
model[0].weight.requires_grad = False
opt = torch.optim.AdamW(model.parameters(), lr=0.05, weight_decay=0.2)
x = torch.sin(torch.arange(12.0)).view(4, 3)
for i in range(4):
    if i == 2:
        model[0].weight.requires_grad = True
    opt.zero_grad()
    loss = (model(x) - 1).pow(2).mean()
    loss.backward()
    opt.step()
weights = [p.detach() for p in model.parameters()]
