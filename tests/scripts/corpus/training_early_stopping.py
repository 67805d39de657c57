import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(2, 1)
fill(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
x = torch.sin(torch.arange(12.0)).view(6, 2)
y = x @ torch.tensor([[1.0], [2.0]])
best = float("inf")
patience, bad = 3, 0
epoch = 0
while True:
    optimizer.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    if not torch.isfinite(loss):
        break
    loss.backward()
    optimizer.step()
    if loss.item() < best - 1e-2:
        best = loss.item()
        bad = 0
    else:
        bad += 1
        if bad >= patience:
            break
    epoch += 1
weights = [p.detach() for p in model.parameters()]
