"""A parameter of a module that is one of several classes: their Cells name it differently."""

from torch import nn


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(4)
        self.table = nn.Embedding(9, 4)
        self.dense = nn.Linear(4, 4)
        self.apply(self.start)

    def start(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding, nn.LayerNorm)):
            module.weight.data.fill_(0.5)
        if isinstance(module, (nn.Linear, nn.LayerNorm)):
            module.bias.data.fill_(0.25)
        if isinstance(module, (nn.LayerNorm, nn.GroupNorm)):
            module.weight.data.fill_(1.0)
