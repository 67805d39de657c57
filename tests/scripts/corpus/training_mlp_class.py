import torch
import torch.nn as nn
import torch.nn.functional as F

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


class MLP(nn.Module):
    def __init__(self, n_in, n_hidden, n_out):
        super().__init__()
        self.fc1 = nn.Linear(n_in, n_hidden)
        self.fc2 = nn.Linear(n_hidden, n_out)

    def forward(self, x):
        return self.fc2(F.relu(self.fc1(x)))


data = torch.sin(torch.arange(48.0)).reshape(12, 4)
labels = torch.arange(12) % 3
net = MLP(4, 8, 3)
fill(net)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
history = []
for step in range(10):
    logits = net(data)
    loss = F.cross_entropy(logits, labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
    history.append(float(loss))
net.eval()
with torch.no_grad():
    predictions = net(data).argmax(dim=1)
    accuracy = (predictions == labels).float().mean().item()
weights = [p.detach().clone() for p in net.parameters()]
