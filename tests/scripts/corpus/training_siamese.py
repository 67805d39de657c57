import torch
import torch.nn as nn
import torch.nn.functional as F

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


enc = nn.Sequential(nn.Linear(3, 4), nn.Tanh())
fill(enc)
opt = torch.optim.Adam(enc.parameters(), lr=0.05)
a = torch.sin(torch.arange(12.0)).view(4, 3)
b = torch.cos(torch.arange(12.0)).view(4, 3)
label = torch.tensor([1.0, 0.0, 1.0, 0.0])
for _ in range(3):
    za, zb = enc(a), enc(b)
    d = F.pairwise_distance(za, zb)
    loss = torch.mean((1 - label) * d.pow(2) + label * torch.clamp(1.0 - d, min=0.0).pow(2))
    opt.zero_grad()
    loss.backward()
    opt.step()
weights = [p.detach() for p in enc.parameters()]
