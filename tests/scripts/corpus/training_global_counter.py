import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(3, 1)
fill(model)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
count = 0


def train_step(x):
    global count
    opt.zero_grad()
    loss = model(x).pow(2).mean()
    count += 1
    loss.backward()
    opt.step()
    return loss


x = torch.sin(torch.arange(12.0)).view(4, 3)
values = [train_step(x).item() for _ in range(3)]
weights = [p.detach() for p in model.parameters()]
