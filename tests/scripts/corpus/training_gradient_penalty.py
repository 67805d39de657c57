# refused: PRT214
import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
fill(net)
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for _ in range(3):
    x = torch.sin(torch.arange(8.0)).view(4, 2).requires_grad_()
    u = net(x)
    du = torch.autograd.grad(u.sum(), x, create_graph=True)[0]
    loss = (du ** 2).mean() + (u - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
weights = [p.detach() for p in net.parameters()]
