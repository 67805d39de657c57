import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(3, 1)
fill(model)
opt = torch.optim.SGD(model.parameters(), lr=0.05)
x = torch.sin(torch.arange(12.0)).view(4, 3)
y = torch.ones(4, 1)
for _ in range(4):
    opt.zero_grad()
    mse = nn.functional.mse_loss(model(x), y)
    penalty = sum(p.abs().sum() for p in model.parameters())
    loss = mse + 0.01 * penalty
    loss.backward()
    opt.step()
weights = [p.detach() for p in model.parameters()]
