import torch
import torch.nn as nn
cell = nn.LSTM(2, 3, batch_first=True)
for p in cell.parameters():
    nn.init.constant_(p, 0.2)
output, (h, c) = cell(torch.ones(1, 4, 2))
gru = nn.GRU(2, 3)
for p in gru.parameters():
    nn.init.constant_(p, -0.1)
states, last = gru(torch.ones(4, 1, 2))
