import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(3, 2)
fill(model)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
xs = torch.sin(torch.arange(24.0)).view(2, 4, 3)
for epoch in range(3):
    losses = []
    for x in xs:
        losses.append(model(x).pow(2).mean())
    opt.zero_grad()
    torch.stack(losses).mean().backward()
    opt.step()
weights = [p.detach() for p in model.parameters()]
