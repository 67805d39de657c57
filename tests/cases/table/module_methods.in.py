"""Methods of torch.nn.Module that a Cell has under another name."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.layer = nn.Linear(width, width)
        self.add_module("other", nn.Linear(width, width))
        self.register_parameter("scale", nn.Parameter(torch.ones(width)))
        self.register_load_state_dict_pre_hook(self.rename)
        self._register_load_state_dict_pre_hook(self.rename)

    def rename(self, state_dict, *args):
        state_dict["new"] = state_dict.pop("old")


def describe(model: Model) -> list:
    model.to("cuda")
    model.to(dtype=torch.float32)
    model = model.cuda().cpu()
    model.eval()
    model.train()
    model.layer.requires_grad_(False)
    model.requires_grad_()
    model.layer.reset_parameters()
    names = [name for name, _ in model.named_parameters()]
    parts = [name for name, _ in model.named_modules()]
    children = [name for name, _ in model.named_children()]
    return [names, parts, children, list(model.parameters()), list(model.modules()), list(model.children())]
