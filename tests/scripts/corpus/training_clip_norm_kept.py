import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(3, 1)
fill(model)
opt = torch.optim.Adagrad(model.parameters(), lr=0.1)
x = torch.sin(torch.arange(12.0)).view(4, 3) * 5
norms = []
for _ in range(4):
    opt.zero_grad()
    loss = (model(x) ** 2).mean()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    norms.append(norm.item())
    opt.step()
weights = [p.detach() for p in model.parameters()]
