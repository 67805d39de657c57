import torch
import torch.nn as nn
import torch.nn.functional as F

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(4, 3)
fill(model)
x = torch.linspace(0, 1, 8).view(2, 4)
y = torch.tensor([0, 2])
delta = torch.zeros_like(x, requires_grad=True)
for _ in range(4):
    loss = F.cross_entropy(model(x + delta), y)
    loss.backward()
    delta.data = (delta + 0.02 * delta.grad.detach().sign()).clamp(-0.05, 0.05)
    delta.grad.zero_()
adv = (x + delta).detach()
