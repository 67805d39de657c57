import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(3, 2)
fill(model)
x = torch.sin(torch.arange(6.0)).view(2, 3)
loss = model(x).sum()
loss.backward()
gw = model.weight.grad
gb = model.bias.grad.clone()
norms = [p.grad.norm().item() for p in model.parameters()]
total_norm = sum(p.grad.data.norm(2).item() ** 2 for p in model.parameters()) ** 0.5
