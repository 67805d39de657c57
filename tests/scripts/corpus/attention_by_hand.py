import torch
torch.manual_seed(1)
q = torch.arange(12.0).reshape(2, 3, 2) / 10
scores = torch.matmul(q, q.transpose(1, 2)) / (q.size(-1) ** 0.5)
mask = torch.triu(torch.ones(3, 3), diagonal=1).bool()
scores = scores.masked_fill(mask, float("-inf"))
weights = torch.softmax(scores, dim=-1)
result = weights @ q
