import torch
import torch.nn as nn

x = torch.tensor([[1.0, 2.0], [3.0, 6.0], [5.0, 4.0]])
norm = nn.BatchNorm1d(2)
a = norm(x)
norm.eval()
b = norm(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(2)

    def forward(self, x):
        return self.norm(x)


net = Net()
c = net(x)
d = net.eval()(x)
e = nn.Sequential(nn.BatchNorm1d(2), nn.ReLU())(x)
