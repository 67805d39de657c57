# refused: PRT214
import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


cell = nn.Linear(3, 3)
fill(cell)
opt = torch.optim.SGD(cell.parameters(), lr=0.1)
h = torch.ones(2, 3)
for i in range(3):
    h = torch.tanh(cell(h))
    loss = h.pow(2).mean()
    loss.backward(retain_graph=True)
opt.step()
weights = [p.detach() for p in cell.parameters()]
