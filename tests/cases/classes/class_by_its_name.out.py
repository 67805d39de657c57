from mindspore import nn

from .runtime.initialization import ones_, zeros_


class Own(nn.Cell):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.CellList([nn.Conv2d(width, width, 1, pad_mode="pad", has_bias=True), nn.BatchNorm2d(width)])
        for module in [cell for _, cell in self.cells_and_names()]:
            if isinstance(module, nn.Conv2d):
                zeros_(module.weight)
            elif "BatchNorm" in module.__class__.__name__:
                ones_(module.gamma)
                zeros_(module.beta)

    def construct(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
