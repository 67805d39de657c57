import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


class Agent:
    def __init__(self):
        self.net = nn.Linear(3, 1)
        fill(self.net)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=0.1)

    def learn(self, x):
        self.optimizer.zero_grad()
        self.loss = self.net(x).pow(2).mean()
        self.loss.backward()
        self.optimizer.step()


agent = Agent()
x = torch.sin(torch.arange(12.0)).view(4, 3)
for _ in range(3):
    agent.learn(x)
final = agent.loss.item()
weights = [p.detach() for p in agent.net.parameters()]
