# refused: PRT214
import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


net = nn.Linear(3, 2)
fill(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
memory = []
x = torch.sin(torch.arange(12.0)).view(4, 3)
for i in range(3):
    out = net(x)
    memory.append(out)
    loss = sum(m.pow(2).mean() for m in memory[-1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
weights = [p.detach().clone() for p in net.parameters()]
