import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), nn.Linear(4, 1))
fill(model)
decay, no_decay = [], []
for name, p in model.named_parameters():
    if p.ndim == 1:
        no_decay.append(p)
    else:
        decay.append(p)
opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": no_decay, "weight_decay": 0.0}], lr=0.05)
x = torch.sin(torch.arange(12.0)).view(4, 3)
for _ in range(3):
    loss = (model(x) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
weights = [p.detach() for p in model.parameters()]
