import torch
x = torch.arange(12.0)
a = x.view(3, 4).transpose(0, 1).contiguous().view(-1)[:3].sum().item()
b = x.reshape(2, -1).mean(1).unsqueeze(0).squeeze()
c = torch.relu(torch.tanh(x - 5)).max().round()
d = x.float().long().to(torch.float32).mul(2).add(1).clamp(max=9)
