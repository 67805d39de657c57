from torch import nn


class Own(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.ModuleList([nn.Conv2d(width, width, 1), nn.BatchNorm2d(width)])
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.zeros_(module.weight)
            elif "BatchNorm" in module.__class__.__name__:
                nn.init.ones_(module.weight)
                nn.init.zeros_(module.bias)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
