import torch
import torch.nn as nn

def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_(torch.linspace(-0.4, 0.5, p.numel()).view(p.shape))


class CharRNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.i2h = nn.Linear(3 + 4, 4)
        self.h2o = nn.Linear(4, 3)

    def forward(self, x, hidden):
        hidden = torch.tanh(self.i2h(torch.cat((x, hidden), 1)))
        return self.h2o(hidden), hidden


rnn = CharRNN()
fill(rnn)
optimizer = torch.optim.SGD(rnn.parameters(), lr=0.05)
sequence = torch.sin(torch.arange(36.0)).view(6, 2, 3)
hidden = torch.zeros(2, 4)
for chunk in sequence.split(2):
    hidden = hidden.detach()
    loss = 0
    for x in chunk:
        out, hidden = rnn(x, hidden)
        loss += nn.functional.mse_loss(out, x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
weights = [p.detach() for p in rnn.parameters()]
