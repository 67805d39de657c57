import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


@torch.no_grad()
def evaluate(model, x):
    model.eval()
    return model(x).mean().item()


def train_one(model, opt, x):
    model.train()
    opt.zero_grad()
    value = evaluate(model, x)
    model.train()
    loss = (model(x) - value).pow(2).mean()
    loss.backward()
    opt.step()
    return loss.item()


model = nn.Linear(3, 1)
fill(model)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.sin(torch.arange(12.0)).view(4, 3)
values = [train_one(model, opt, x) for _ in range(3)]
