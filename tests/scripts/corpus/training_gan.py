import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


G = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 2))
D = nn.Sequential(nn.Linear(2, 4), nn.LeakyReLU(0.2), nn.Linear(4, 1), nn.Sigmoid())
fill(G)
fill(D)
opt_g = torch.optim.Adam(G.parameters(), lr=0.01, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(D.parameters(), lr=0.01, betas=(0.5, 0.999))
bce = nn.BCELoss()
real = torch.sin(torch.arange(10.0)).view(5, 2)
noise = torch.cos(torch.arange(10.0)).view(5, 2)
ones = torch.ones(5, 1)
zeros = torch.zeros(5, 1)
for i in range(5):
    opt_d.zero_grad()
    fake = G(noise)
    d_loss = bce(D(real), ones) + bce(D(fake.detach()), zeros)
    d_loss.backward()
    opt_d.step()

    opt_g.zero_grad()
    fake = G(noise)
    g_loss = bce(D(fake), ones)
    g_loss.backward()
    opt_g.step()
g_weights = [p.detach() for p in G.parameters()]
d_weights = [p.detach() for p in D.parameters()]
