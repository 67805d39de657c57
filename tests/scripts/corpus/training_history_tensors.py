import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(3, 2)
fill(model)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.sin(torch.arange(12.0)).view(4, 3)
history = []
ema = 0.0
for epoch in range(3):
    loss = model(x).pow(2).mean()
    history.append(loss)
    ema = 0.9 * ema + 0.1 * loss.item()
    opt.zero_grad()
    loss.backward()
    opt.step()
history = [h.item() for h in history]
weights = [p.detach() for p in model.parameters()]
