import torch
import torch.nn.functional as F
q = torch.arange(8.0).reshape(1, 1, 4, 2) / 8
a = F.scaled_dot_product_attention(q, q, q)
mask = torch.tril(torch.ones(4, 4, dtype=torch.bool))
b = F.scaled_dot_product_attention(q, q, q, attn_mask=mask)
scores = torch.softmax(q @ q.transpose(-2, -1), dim=-1)
