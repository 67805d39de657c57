import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(4, 2)
fill(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
data = torch.sin(torch.arange(96.0)).view(6, 4, 4)
target = torch.cos(torch.arange(48.0)).view(6, 4, 2)
accumulation_steps = 3
optimizer.zero_grad()
for i in range(6):
    output = model(data[i])
    loss = nn.functional.mse_loss(output, target[i])
    loss = loss / accumulation_steps
    loss.backward()
    if (i + 1) % accumulation_steps == 0:
        optimizer.step()
        optimizer.zero_grad()
weights = [p.detach() for p in model.parameters()]
