import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


net = nn.Linear(3, 1)
fill(net)
opt = torch.optim.Adam(net.parameters(), lr=0.1)
xb = torch.sin(torch.arange(6.0)).view(2, 3)
for i in range(3):
    pred = net(xb); loss = (pred ** 2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
weights = [p.detach() for p in net.parameters()]
