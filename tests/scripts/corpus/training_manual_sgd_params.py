import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
fill(model)
x = torch.sin(torch.arange(8.0)).view(4, 2)
y = torch.cos(torch.arange(4.0)).view(4, 1)
lr = 0.1
for t in range(10):
    y_pred = model(x)
    loss = (y_pred - y).pow(2).sum()
    model.zero_grad()
    loss.backward()
    with torch.no_grad():
        for param in model.parameters():
            param -= lr * param.grad
weights = [p.detach() for p in model.parameters()]
