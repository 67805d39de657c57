"""Methods of torch.nn.Module that a Cell has under another name."""

import mindspore as ms
from mindspore import nn, ops

from .runtime.containers import add_module
from .runtime.initialization import reset_parameters
from .runtime.parameters import named_parameters_of, parameters_of, set_requires_grad


class Model(nn.Cell):
    def __init__(self, width: int):
        super().__init__()
        self.layer = nn.Dense(width, width)
        add_module(self, "other", nn.Dense(width, width))
        self.insert_param_to_cell("scale", ms.Parameter(ops.ones((width,))))

    def rename(self, state_dict, *args):
        state_dict["new"] = state_dict.pop("old")


def describe(model: Model) -> list:
    model = model
    model.set_train(False)
    model.set_train()
    set_requires_grad(model.layer, False)
    set_requires_grad(model)
    reset_parameters(model.layer)
    names = [name for name, _ in named_parameters_of(model)]
    parts = [name for name, _ in model.cells_and_names()]
    children = [name for name, _ in model.name_cells().items()]
    return [names, parts, children, list(parameters_of(model)), list([cell for _, cell in model.cells_and_names()]), list(model.cells())]
