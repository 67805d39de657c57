import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Linear(3, 4)
        self.classifier = nn.Linear(4, 2)

    def forward(self, x):
        return self.classifier(torch.tanh(self.features(x)))


net = Net()
fill(net)
net.features.requires_grad_(False)
optimizer = torch.optim.SGD(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1, weight_decay=0.1)
x = torch.sin(torch.arange(12.0)).view(4, 3)
y = torch.tensor([0, 1, 1, 0])
for epoch in range(5):
    loss = nn.functional.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
weights = [p.detach() for p in net.parameters()]
