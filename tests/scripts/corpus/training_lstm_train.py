import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


lstm = nn.LSTM(2, 3, batch_first=True)
fc = nn.Linear(3, 1)
for w in lstm.parameters():
    nn.init.constant_(w, 0.1)
fill(fc)
optimizer = torch.optim.Adam(list(lstm.parameters()) + list(fc.parameters()), lr=0.01)
x = torch.sin(torch.arange(20.0)).view(2, 5, 2)
y = torch.tensor([[0.5], [-0.5]])
losses = []
for epoch in range(3):
    out, (h, c) = lstm(x)
    pred = fc(out[:, -1])
    loss = nn.functional.mse_loss(pred, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
