import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(3, 1)
fill(model)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.ones(2, 3)
for _ in range(3):
    opt.zero_grad()
    nn.functional.mse_loss(model(x), torch.zeros(2, 1)).backward()
    opt.step()
weights = [p.detach() for p in model.parameters()]
