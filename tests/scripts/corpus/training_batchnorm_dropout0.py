import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Dropout(0.0), nn.Linear(4, 1))
model[0].weight.data = torch.linspace(-1, 1, 12).view(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.sin(torch.arange(18.0)).view(6, 3)
y = torch.cos(torch.arange(6.0)).view(6, 1)
nn.init.constant_(model[4].weight, 0.3)
nn.init.zeros_(model[4].bias)
nn.init.zeros_(model[0].bias)
model.train()
for _ in range(3):
    pred = model(x)
    loss = nn.functional.mse_loss(pred, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
model.eval()
with torch.no_grad():
    evaluated = model(x)
running = model[1].running_mean.clone()
