# refused: PRT214
import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


backbone = nn.Linear(3, 4)
head = nn.Linear(4, 1)
fill(backbone)
fill(head)
opt = torch.optim.SGD(list(backbone.parameters()) + list(head.parameters()), lr=0.1)


def step(features, y):
    out = head(features)
    loss = ((out - y) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


x = torch.sin(torch.arange(12.0)).view(4, 3)
y = torch.ones(4, 1)
losses = []
for _ in range(3):
    features = backbone(x)
    losses.append(step(features, y))
weights = [p.detach() for p in backbone.parameters()]
