import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


G = nn.Linear(2, 2)
D = nn.Linear(2, 1)
fill(G)
fill(D)
og = torch.optim.Adam(G.parameters(), lr=0.05)
od = torch.optim.Adam(D.parameters(), lr=0.05)
z = torch.sin(torch.arange(8.0)).view(4, 2)
real = torch.cos(torch.arange(8.0)).view(4, 2)
for it in range(3):
    for _ in range(2):
        fake = G(z).detach()
        loss_d = D(fake).mean() - D(real).mean()
        od.zero_grad()
        loss_d.backward()
        od.step()
    loss_g = -D(G(z)).mean()
    og.zero_grad()
    loss_g.backward()
    og.step()
weights = [p.detach().clone() for p in list(G.parameters()) + list(D.parameters())]
