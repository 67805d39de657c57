import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
fill(model)
x = torch.sin(torch.arange(8.0)).view(4, 2)
for _ in range(3):
    loss = model(x).pow(2).mean()
    grads = torch.autograd.grad(loss, model.parameters())
    with torch.no_grad():
        for p, g in zip(model.parameters(), grads):
            p.sub_(0.1 * g)
weights = [p.detach().clone() for p in model.parameters()]
