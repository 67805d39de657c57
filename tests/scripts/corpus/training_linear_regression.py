import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


x = torch.linspace(-1, 1, 20).unsqueeze(1)
y = 3 * x + 0.5
model = nn.Linear(1, 1)
fill(model)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
losses = []
for epoch in range(20):
    optimizer.zero_grad()
    output = model(x)
    loss = criterion(output, y)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
    if epoch % 10 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f}")
weight = model.weight.detach()
bias = model.bias.data.clone()
