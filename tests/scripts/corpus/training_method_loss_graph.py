import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


class Learner:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def features(self, x):
        return torch.tanh(self.net(x))

    def update(self, x):
        z = self.features(x)
        loss = z.pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item(), z.detach()


net = nn.Linear(3, 2)
fill(net)
learner = Learner(net)
x = torch.sin(torch.arange(12.0)).view(4, 3)
out = [learner.update(x)[0] for _ in range(3)]
