# refused: PRT215
import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


trunk = nn.Linear(2, 3)
head_a = nn.Linear(3, 1)
head_b = nn.Linear(3, 1)
for m in (trunk, head_a, head_b):
    fill(m)
opt = torch.optim.Adam([*trunk.parameters(), *head_a.parameters(), *head_b.parameters()], lr=0.1)
x = torch.sin(torch.arange(12.0)).view(6, 2)
for i in range(5):
    opt.zero_grad()
    h = torch.tanh(trunk(x))
    if i % 2:
        loss = head_a(h).pow(2).mean()
    else:
        loss = head_b(h).pow(2).mean()
    loss.backward()
    opt.step()
weights = [p.detach() for p in head_b.parameters()]
