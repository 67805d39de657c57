import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


def forward_pass(model, x, y):
    out = model(x)
    loss = (out - y).pow(2).mean()
    return loss, out


model = nn.Linear(3, 1)
fill(model)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.sin(torch.arange(12.0)).view(4, 3)
y = torch.zeros(4, 1)
for _ in range(3):
    opt.zero_grad()
    loss, out = forward_pass(model, x, y)
    loss.backward()
    opt.step()
weights = [p.detach() for p in model.parameters()]
