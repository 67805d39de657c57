import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(3, 1)
fill(model)
mse = lambda a, b: ((a - b) ** 2).mean()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
data = [(torch.sin(torch.arange(6.0)).view(2, 3) * k, torch.ones(2, 1) * k) for k in (1, 2)]
for _ in range(3):
    loss = sum(mse(model(x), y) for x, y in data)
    opt.zero_grad()
    loss.backward()
    opt.step()
weights = [p.detach() for p in model.parameters()]
