import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


G = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 2))
D = nn.Sequential(nn.Linear(2, 4), nn.LeakyReLU(0.2), nn.Linear(4, 1))
fill(G)
fill(D)
optimizerG = torch.optim.Adam(G.parameters(), lr=0.01)
optimizerD = torch.optim.Adam(D.parameters(), lr=0.01)
criterion = nn.BCEWithLogitsLoss()
real = torch.sin(torch.arange(10.0)).view(5, 2)
noise = torch.cos(torch.arange(10.0)).view(5, 2)
for i in range(4):
    D.zero_grad()
    label = torch.full((5, 1), 1.0)
    errD_real = criterion(D(real), label)
    errD_real.backward()
    fake = G(noise)
    label.fill_(0.0)
    errD_fake = criterion(D(fake.detach()), label)
    errD_fake.backward()
    errD = errD_real + errD_fake
    optimizerD.step()
    G.zero_grad()
    label.fill_(1.0)
    errG = criterion(D(fake), label)
    errG.backward()
    optimizerG.step()
g_weights = [p.detach() for p in G.parameters()]
d_weights = [p.detach() for p in D.parameters()]
