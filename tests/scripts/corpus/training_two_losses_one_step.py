import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


shared = nn.Linear(3, 4)
head_a = nn.Linear(4, 1)
head_b = nn.Linear(4, 2)
for m in (shared, head_a, head_b):
    fill(m)
optimizer = torch.optim.Adam([*shared.parameters(), *head_a.parameters(), *head_b.parameters()], lr=0.02)
x = torch.sin(torch.arange(12.0)).view(4, 3)
for _ in range(4):
    optimizer.zero_grad()
    loss_a = head_a(torch.tanh(shared(x))).pow(2).mean()
    loss_a.backward()
    loss_b = (head_b(torch.tanh(shared(x))) - 1).pow(2).mean()
    loss_b.backward()
    optimizer.step()
weights = [p.detach() for m in (shared, head_a, head_b) for p in m.parameters()]
