# refused: PRT102
import torch
import torch.nn as nn

model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.1, total_steps=10)
for _ in range(3):
    opt.zero_grad()
    loss = model(torch.ones(1, 3)).sum()
    loss.backward()
    opt.step()
    sched.step()
