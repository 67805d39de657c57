import torch
import torch.nn as nn
import torch.nn.functional as F

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


class Experiment:
    def __init__(self):
        self.net = nn.Linear(3, 2)
        fill(self.net)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.history = []

    def compute_loss(self, x, y):
        return F.cross_entropy(self.net(x), y)

    def fit(self, x, y, epochs):
        for epoch in range(epochs):
            self.opt.zero_grad()
            loss = self.compute_loss(x, y)
            loss.backward()
            self.opt.step()
            self.history.append(loss.item())
        return self


x = torch.sin(torch.arange(12.0)).view(4, 3)
y = torch.tensor([0, 1, 1, 0])
experiment = Experiment().fit(x, y, 3)
history = experiment.history
weights = [p.detach() for p in experiment.net.parameters()]
