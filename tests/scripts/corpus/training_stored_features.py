# refused: PRT214
import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


class Learner:
    def __init__(self, net, head):
        self.net, self.head = net, head
        self.opt = torch.optim.SGD(list(net.parameters()) + list(head.parameters()), lr=0.1)
        self.cache = None

    def encode(self, x):
        self.cache = self.net(x)

    def update(self):
        loss = self.head(self.cache).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()


net = nn.Linear(3, 2)
head = nn.Linear(2, 1)
fill(net)
fill(head)
learner = Learner(net, head)
x = torch.sin(torch.arange(12.0)).view(4, 3)
for _ in range(3):
    learner.encode(x)
    learner.update()
weights = [p.detach().clone() for p in net.parameters()]
