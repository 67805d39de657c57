# class: Encoder
"""A class beside whose forward stand methods that no graph can hold."""

import torch
from torch import nn


def saved(module, path):
    torch.save(module.state_dict(), path)


def stack_of(layers: int):
    return nn.ModuleList([nn.Linear(4, 4) for _ in range(layers)])


class Encoder(nn.Module):
    def __init__(self, layers: int = 2):
        super().__init__()
        self.layers = stack_of(layers)
        self.scale = 2.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = self.step(layer, x)
        return x

    def step(self, layer: nn.Module, x: torch.Tensor) -> torch.Tensor:
        # Used by forward: what cannot be carried over here is an error.
        return layer(x) * self.scale

    # Hooks are of no use in a graph.
    @torch.no_grad()
    def watch(self, hook):
        """Call a hook after each layer."""
        for layer in self.layers:
            layer.register_forward_hook(hook)  # gone: it goes with the method

    @classmethod
    def restored(cls, path: str) -> "Encoder":
        return torch.hub.load(path, "encoder")

    @property
    def device_name(self) -> str:
        return torch.cuda.get_device_name()

    def keep(self, path: str) -> None:
        saved(self, path)

    def width(self) -> int:
        return self.layers[0].in_features
