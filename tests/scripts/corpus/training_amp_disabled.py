import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(3, 1)
fill(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.cuda.amp.GradScaler(enabled=False)
x = torch.sin(torch.arange(12.0)).view(4, 3)
y = torch.ones(4, 1)
for _ in range(3):
    optimizer.zero_grad()
    with torch.autocast("cpu", enabled=False):
        loss = nn.functional.mse_loss(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
weights = [p.detach() for p in model.parameters()]
