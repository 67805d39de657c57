import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(2, 1)
fill(model)
opt = torch.optim.SGD(model.parameters(), lr=0.5)
x = torch.sin(torch.arange(6.0)).view(3, 2)
for _ in range(2):
    opt.zero_grad()
    out = model(x)
    targets = []
    with torch.no_grad():
        targets.append(model(x + 1))
    loss = (out - targets[0]).pow(2).mean()
    loss.backward()
    opt.step()
weights = [p.detach().clone() for p in model.parameters()]
