import torch
import torch.nn as nn

theta = nn.Parameter(torch.tensor([0.3, -0.7]))
optimizer = torch.optim.Adam([theta], lr=0.1)
for i in range(10):
    optimizer.zero_grad()
    loss = (theta.sin() ** 2).sum() + theta.prod()
    loss.backward()
    optimizer.step()
value = theta.detach()
