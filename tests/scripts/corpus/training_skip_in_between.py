# refused: PRT214
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
    out = model(x)
    if i == 1:
        continue
    loss = out.pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
weights = [p.detach() for p in model.parameters()]
