import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = nn.Linear(3, 4)
        self.head = nn.Linear(4, 1)

    def forward(self, x):
        return self.head(torch.relu(self.base(x)))


model = Net()
fill(model)
optimizer = torch.optim.SGD([
    {"params": model.base.parameters(), "lr": 0.01},
    {"params": model.head.parameters()},
], lr=0.1, momentum=0.9)
x = torch.sin(torch.arange(15.0)).view(5, 3)
y = torch.ones(5, 1)
for _ in range(5):
    optimizer.zero_grad()
    loss = torch.mean((model(x) - y) ** 2)
    loss.backward()
    optimizer.step()
rates = [group["lr"] for group in optimizer.param_groups]
weights = [p.detach() for p in model.parameters()]
