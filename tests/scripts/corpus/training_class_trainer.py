import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.criterion = nn.MSELoss()

    def train_step(self, x, y):
        self.model.train()
        self.optimizer.zero_grad()
        out = self.model(x)
        loss = self.criterion(out, y)
        loss.backward()
        self.optimizer.step()
        return loss.item()


model = nn.Linear(3, 2)
fill(model)
trainer = Trainer(model, 0.05)
x = torch.sin(torch.arange(12.0)).view(4, 3)
y = torch.cos(torch.arange(8.0)).view(4, 2)
losses = [trainer.train_step(x, y) for _ in range(4)]
weights = [p.detach() for p in model.parameters()]
