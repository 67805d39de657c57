"""Loops that train: a loss, its gradients, a step."""

import torch
from torch import nn, optim


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 1)

    def forward(self, x):
        return self.layer(x)


def train(model: Model, loader, epochs: int) -> float:
    criterion = nn.MSELoss()
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=2)
    total = 0.0
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            # What the model says.
            prediction = model(x)
            loss = criterion(prediction, y)
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            nn.utils.clip_grad_value_(model.parameters(), clip_value=0.5)
            optimizer.step()
            total += loss.item()
            print(norm, prediction.shape)
        scheduler.step()
        print(scheduler.get_last_lr())
    return total
