import torch
import torch.nn as nn
import torch.nn.functional as F

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


teacher = nn.Linear(3, 4)
student = nn.Linear(3, 4)
fill(teacher)
with torch.no_grad():
    for p in student.parameters():
        p.fill_(0.1)
teacher.eval()
opt = torch.optim.Adam(student.parameters(), lr=0.02)
x = torch.sin(torch.arange(12.0)).view(4, 3)
y = torch.tensor([0, 1, 2, 3])
T = 2.0
for _ in range(3):
    with torch.no_grad():
        t = teacher(x)
    s = student(x)
    soft = F.kl_div(F.log_softmax(s / T, dim=1), F.softmax(t / T, dim=1), reduction="batchmean") * T * T
    hard = F.cross_entropy(s, y)
    loss = 0.7 * soft + 0.3 * hard
    opt.zero_grad()
    loss.backward()
    opt.step()
weights = [p.detach() for p in student.parameters()]
