import torch

x = torch.arange(8.0).reshape(2, 4) / 8
cell = torch.nn.LSTMCell(4, 3)
for weight in cell.parameters():
    torch.nn.init.constant_(weight, 0.1)
h, c = cell(x)
h, c = cell(x, (h, c))
unit = torch.nn.GRUCell(4, 3)
for weight in unit.parameters():
    torch.nn.init.constant_(weight, 0.1)
state = unit(x)
state = unit(x, state)
