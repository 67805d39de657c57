# refused: PRT214
import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


class Pix:
    def __init__(self):
        self.G = nn.Linear(3, 3)
        self.D = nn.Linear(3, 1)
        fill(self.G)
        fill(self.D)
        self.optimizer_G = torch.optim.SGD(self.G.parameters(), lr=0.1)
        self.optimizer_D = torch.optim.SGD(self.D.parameters(), lr=0.1)

    def forward(self, x):
        self.fake = self.G(x)

    def backward_D(self, real):
        self.loss_D = self.D(self.fake.detach()).mean() - self.D(real).mean()
        self.loss_D.backward()

    def backward_G(self):
        self.loss_G = -self.D(self.fake).mean()
        self.loss_G.backward()

    def optimize(self, x, real):
        self.forward(x)
        self.optimizer_D.zero_grad()
        self.backward_D(real)
        self.optimizer_D.step()
        self.optimizer_G.zero_grad()
        self.backward_G()
        self.optimizer_G.step()


model = Pix()
x = torch.sin(torch.arange(12.0)).view(4, 3)
for _ in range(3):
    model.optimize(x, x * 2)
weights = [p.detach() for p in model.G.parameters()]
