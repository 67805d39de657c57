# refused: PRT215
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.used = nn.Linear(2, 1)
        self.spare = nn.Linear(2, 1)

    def forward(self, x):
        return self.used(x)


net = Net()
nn.init.ones_(net.spare.weight)
opt = torch.optim.AdamW(net.parameters(), lr=0.1, weight_decay=0.5)
for _ in range(3):
    opt.zero_grad()
    loss = net(torch.ones(1, 2)).sum()
    loss.backward()
    opt.step()
spare = net.spare.weight.detach()
