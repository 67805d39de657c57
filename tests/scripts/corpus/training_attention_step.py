import torch
import torch.nn as nn
import torch.nn.functional as F

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


class SelfAttention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q = nn.Linear(d, d)
        self.k = nn.Linear(d, d)
        self.v = nn.Linear(d, d)
        self.norm = nn.LayerNorm(d)

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = F.softmax(q @ k.transpose(-2, -1) / q.size(-1) ** 0.5, dim=-1)
        return self.norm(x + weights @ v)


embedding = nn.Embedding(7, 4)
block = SelfAttention(4)
head = nn.Linear(4, 7)
for part in (embedding, block, head):
    fill(part)
params = list(embedding.parameters()) + list(block.parameters()) + list(head.parameters())
optimizer = torch.optim.AdamW(params, lr=1e-2)
tokens = torch.tensor([[0, 1, 2, 3], [3, 4, 5, 6]])
for step in range(4):
    logits = head(block(embedding(tokens[:, :-1])))
    loss = F.cross_entropy(logits.reshape(-1, 7), tokens[:, 1:].reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
weights = [p.detach() for p in params]
