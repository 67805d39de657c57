"""Compare the layers of the runtime with torch's modules, parameter names included."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from mindspore import Tensor, nn

from porter.runtime import layers

from .support import check, floats

X = floats(2, 6, 5)
IMAGE = floats(2, 6, 4, 5)
MODULES: list[tuple[str, tuple[Any, ...], dict[str, Any], tuple[Any, ...]]] = [
    ("LayerNorm", (5,), {}, (X,)),
    ("LayerNorm", ((6, 5),), {"bias": False, "eps": 1e-3}, (X,)),
    ("LayerNorm", (5,), {"elementwise_affine": False}, (X,)),
    ("RMSNorm", (5,), {}, (X,)),
    ("RMSNorm", ((6, 5),), {"eps": 1e-3}, (X,)),
    ("RMSNorm", (5,), {"elementwise_affine": False}, (X,)),
    ("InstanceNorm1d", (6,), {}, (X,)),
    ("InstanceNorm2d", (6,), {"affine": True, "eps": 1e-3}, (IMAGE,)),
    ("InstanceNorm3d", (2,), {}, (floats(2, 2, 3, 4, 5),)),
    ("Softplus", (), {"beta": 2.0, "threshold": 1.0}, (X,)),
    ("GELU", (), {}, (X,)),
    ("GELU", (), {"approximate": "tanh"}, (X,)),
    ("Tanh", (), {}, (X,)),
    ("SELU", (), {}, (X,)),
    ("Mish", (), {}, (X,)),
    ("LocalResponseNorm", (3,), {"alpha": 0.5}, (IMAGE,)),
    ("CosineSimilarity", (), {"dim": -1}, (X, floats(2, 6, 5, seed=1))),
    ("PairwiseDistance", (), {"p": 1.0, "keepdim": True}, (X, floats(2, 6, 5, seed=1))),
    ("KLDivLoss", (), {"log_target": True, "reduction": "sum"}, (X, floats(2, 6, 5, seed=1))),
]


@pytest.mark.parametrize(("name", "args", "options", "arrays"), MODULES)
def test_layer_is_torchs(
    name: str, args: tuple[Any, ...], options: dict[str, Any], arrays: tuple[Any, ...]
) -> None:
    module = getattr(torch.nn, name)(*args, **options)
    for index, parameter in enumerate(module.parameters()):
        parameter.data = torch.from_numpy(floats(*parameter.shape, seed=index + 10))

    def make() -> nn.Cell:
        cell = getattr(layers, name)(*args, **options)
        own = dict(cell.parameters_and_names())
        state = module.state_dict()
        assert own.keys() == state.keys()
        for parameter, value in state.items():
            assert tuple(own[parameter].shape) == tuple(value.shape)
            own[parameter].set_data(Tensor(value.numpy()))
        return cell

    check(make, module, *arrays, static=(1,))


def test_running_statistics_are_refused() -> None:
    with pytest.raises(ValueError, match="running statistics"):
        layers.InstanceNorm2d(4, track_running_stats=True)


@pytest.mark.parametrize("name", ["LayerNorm", "RMSNorm", "InstanceNorm2d"])
def test_parameters_start_as_torchs(name: str) -> None:
    options = {"affine": True} if name.startswith("Instance") else {}
    ours = dict(getattr(layers, name)(4, **options).parameters_and_names())
    theirs = getattr(torch.nn, name)(4, **options).state_dict()
    assert ours.keys() == theirs.keys()
    for key, value in theirs.items():
        assert (ours[key].asnumpy() == value.numpy()).all()
