import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, width, norm_layer=nn.LayerNorm):
        super().__init__()
        kinds = {nn.Linear: 1, nn.LayerNorm: 2}
        makers = {"norm": nn.LayerNorm, "linear": nn.Linear}
        self.layers = nn.ModuleList([nn.Linear(width, width), norm_layer(width)])
        for layer in self.layers:
            if type(layer) is nn.Linear or layer.__class__ == nn.Linear:
                kinds[type(layer)] += 1
        if norm_layer is nn.LayerNorm:
            self.layers.append(makers["norm"](width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = layer(x)
        return x
