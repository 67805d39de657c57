import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(2, 1)
fill(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=0)
x = torch.sin(torch.arange(12.0)).view(6, 2)
y = torch.ones(6, 1)
rates = []
for epoch in range(6):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    scheduler.step(loss.item() if epoch < 2 else 5.0)
    rates.append(optimizer.param_groups[0]["lr"])
weights = [p.detach() for p in model.parameters()]
