"""Compare the layers of the runtime with torch's modules, parameter names included."""

# mypy: allow-subclassing-any

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from mindspore import Tensor, nn

from porter.runtime import layers
from porter.runtime.embedding import Embedding

from .support import check, compare, floats, prepare, tensors

X = floats(2, 6, 5)
IMAGE = floats(2, 6, 4, 5)
CLASSES = np.array([1, 0, 4, 2])
PROBABILITIES = np.abs(floats(4, 5, seed=1)) / 5
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
    ("Upsample", (), {"scale_factor": 2, "mode": "bilinear"}, (IMAGE,)),
    ("Unfold", (3,), {"padding": 1}, (IMAGE,)),
    ("Fold", ((4, 6), 2), {"stride": 2}, (floats(2, 12, 6),)),
    ("Conv1d", (6, 4, 3), {"padding": (2,)}, (X,)),
    ("Conv2d", (6, 4, (1, 3)), {"padding": (0, 1), "bias": False}, (IMAGE,)),
    ("Conv2d", (6, 4, 3), {"padding": 1, "padding_mode": "reflect", "stride": 2}, (IMAGE,)),
    ("Conv2d", (6, 4, 3), {"padding": "same", "groups": 2}, (IMAGE,)),
    ("Conv3d", (2, 3, 2), {"padding": (0, 1, 1)}, (floats(1, 2, 3, 4, 5),)),
    ("ConvTranspose1d", (6, 4, 3, 2, 1, 1), {}, (X,)),
    ("ConvTranspose2d", (6, 4, 2, 2), {"bias": False}, (IMAGE,)),
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

    # Convolutions, folding and resizing need every size but the batch when compiling.
    check(make, module, *arrays, static=(1, 2, 3, 4))


@pytest.mark.parametrize(
    ("options", "target"),
    [
        ({}, CLASSES),
        ({"ignore_index": 1, "label_smoothing": 0.1}, CLASSES),
        ({"reduction": "none"}, np.array([1, -100, 4, 2])),
        ({"reduction": "sum"}, PROBABILITIES),
    ],
)
def test_cross_entropy_is_torchs(options: dict[str, Any], target: Any) -> None:
    check(
        lambda: layers.CrossEntropyLoss(**options),
        lambda logits, wanted: torch.nn.CrossEntropyLoss(**options)(logits, wanted),
        floats(4, 5),
        target,
        static=(1,),
    )


ATTENDED = (floats(2, 3, 8), floats(2, 5, 8, seed=1), floats(2, 5, 8, seed=2))
HIDDEN = np.array([[False, False, False, True, True], [False] * 5])


class FirstOutput(nn.Cell):
    """Attend by keyword, and return the output without the weights."""

    def __init__(self, cell: nn.Cell, **options: Any) -> None:
        super().__init__()
        self.cell = cell
        self.options = options

    def construct(self, query: Tensor, key: Tensor, value: Tensor, mask: Any = None) -> Tensor:
        return self.cell(query, key, value, key_padding_mask=mask, **self.options)[0]


def attention(batch_first: bool, bias: bool) -> tuple[nn.Cell, torch.nn.MultiheadAttention]:
    module = torch.nn.MultiheadAttention(8, 2, bias=bias, batch_first=batch_first)
    cell = layers.MultiheadAttention(8, 2, bias=bias, batch_first=batch_first)
    own = dict(cell.parameters_and_names())
    assert own.keys() == module.state_dict().keys()
    for index, (name, parameter) in enumerate(module.named_parameters()):
        parameter.data = torch.from_numpy(0.3 * floats(*parameter.shape, seed=index + 10))
        own[name].set_data(Tensor(parameter.detach().numpy()))
    return cell, module


@pytest.mark.parametrize(
    ("batch_first", "bias", "masks", "need_weights"),
    [(True, True, (), True), (False, False, (), True), (True, True, (HIDDEN,), False)],
)
def test_attention_is_torchs(
    batch_first: bool, bias: bool, masks: tuple[Any, ...], need_weights: bool
) -> None:
    arrays = ATTENDED if batch_first else [array.swapaxes(0, 1).copy() for array in ATTENDED]
    _, module = attention(batch_first, bias)

    def reference(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
        options = {"key_padding_mask": mask, "need_weights": need_weights}
        return module(query, key, value, **options)[0]

    check(
        lambda: FirstOutput(attention(batch_first, bias)[0], need_weights=need_weights),
        reference,
        *arrays,
        *masks,
        static=(-1,),
    )


@pytest.mark.parametrize("average", [True, False])
def test_attention_gives_its_weights(average: bool) -> None:
    cell, module = attention(True, True)
    mask = np.triu(np.ones((3, 5), bool), 2)
    ours = prepare(cell, "strict", [])(
        *tensors(ATTENDED), attn_mask=Tensor(mask), average_attn_weights=average
    )
    given = [torch.from_numpy(array) for array in ATTENDED]
    wanted = module(*given, attn_mask=torch.from_numpy(mask), average_attn_weights=average)
    compare(ours, wanted, "strict")


def test_attention_without_a_causal_mask_is_refused() -> None:
    cell, _ = attention(True, True)
    with pytest.raises(ValueError, match="attn_mask"):
        cell(*tensors(ATTENDED), is_causal=True)


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


def test_embedding_takes_torchs_arguments() -> None:
    table = floats(5, 4)
    held = Embedding(5, 4, 1, None, 2.0, False, False, Tensor(table), True)
    assert not held.weight.requires_grad
    assert held(Tensor([3, 1])).asnumpy().tolist() == table[[3, 1]].tolist()
    assert Embedding(5, 4).weight.requires_grad
    with pytest.raises(ValueError, match="max_norm"):
        Embedding(5, 4, max_norm=1.0)
