import torch
import torch.nn as nn
import torch.nn.functional as F

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


class LM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(6, 4)
        self.out = nn.Linear(4, 6, bias=False)
        self.out.weight = self.emb.weight

    def forward(self, t):
        return self.out(torch.tanh(self.emb(t)))


lm = LM()
fill(lm)
opt = torch.optim.SGD(lm.parameters(), lr=0.1)
tokens = torch.tensor([[0, 1, 2, 3, 4, 5]])
losses = []
for _ in range(3):
    logits = lm(tokens[:, :-1])
    loss = F.cross_entropy(logits.view(-1, 6), tokens[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())
