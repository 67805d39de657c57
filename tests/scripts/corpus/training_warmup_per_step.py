import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


model = nn.Linear(3, 1)
fill(model)
opt = torch.optim.AdamW(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 4))
x = torch.sin(torch.arange(12.0)).view(4, 3)
for epoch in range(2):
    for i in range(3):
        loss = (model(x) - i).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        scheduler.step()
weights = [p.detach() for p in model.parameters()]
