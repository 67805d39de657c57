import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(3, 1)
fill(model)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
xs = torch.sin(torch.arange(36.0)).view(3, 4, 3)
for i, x in enumerate(xs):
    if i == 1:
        continue
    out = model(x)
    loss = out.pow(2).mean()
    if loss.item() > 1e6:
        raise ValueError("diverged")
    opt.zero_grad()
    loss.backward()
    opt.step()
weights = [p.detach() for p in model.parameters()]
