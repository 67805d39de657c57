# refused: PRT201
import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(3, 1)
fill(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.sin(torch.arange(12.0)).view(4, 3)
y = torch.ones(4, 1)
for _ in range(3):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
weights = [p.detach() for p in model.parameters()]
