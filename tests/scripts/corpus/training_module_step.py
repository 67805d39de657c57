# refused: PRT102
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)

    def forward(self, x):
        return self.fc(x)

    def fit(self, x, opt):
        opt.zero_grad()
        loss = self(x).mean()
        loss.backward()
        opt.step()


net = Net()
net.fit(torch.ones(1, 2), torch.optim.SGD(net.parameters(), lr=0.1))
