import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


enc = nn.Linear(3, 2)
dec = nn.Linear(2, 3)
fill(enc)
fill(dec)
opt_enc = torch.optim.SGD(enc.parameters(), lr=0.1)
opt_dec = torch.optim.Adam(dec.parameters(), lr=0.01)
x = torch.sin(torch.arange(12.0)).view(4, 3)
for _ in range(4):
    opt_enc.zero_grad()
    opt_dec.zero_grad()
    loss = ((dec(enc(x)) - x) ** 2).mean()
    loss.backward()
    opt_enc.step()
    opt_dec.step()
weights = [p.detach() for p in enc.parameters()] + [p.detach() for p in dec.parameters()]
