# refused: PRT214
import torch
import torch.nn as nn


def apply_update(loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loss = model(torch.ones(3, 2)).sum()
apply_update(loss, optimizer)
weights = [p.detach() for p in model.parameters()]
