import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(2, 2)
fill(model)


@torch.no_grad()
def target_of(x):
    return model(x).softmax(dim=-1)


def teacher(x):
    with torch.no_grad():
        out = model(x)
    return out * 0.5


opt = torch.optim.SGD(model.parameters(), lr=0.5)
x = torch.sin(torch.arange(6.0)).view(3, 2)
for _ in range(3):
    opt.zero_grad()
    loss = (model(x) - target_of(x) - teacher(x)).pow(2).sum()
    loss.backward()
    opt.step()
weights = [p.detach().clone() for p in model.parameters()]
