import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


def optimize(opt, params):
    nn.utils.clip_grad_norm_(params, 0.3)
    opt.step()
    opt.zero_grad()


model = nn.Linear(3, 1)
fill(model)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.sin(torch.arange(12.0)).view(4, 3)
for i in range(3):
    loss = (model(x) - 3).pow(2).mean()
    loss.backward()
    optimize(opt, model.parameters())
weights = [p.detach() for p in model.parameters()]
