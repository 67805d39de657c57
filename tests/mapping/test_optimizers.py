"""Run ported optimizers and schedulers beside torch: some steps with the same gradients."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from typing import Any

import mindspore as ms
import numpy as np
import pytest
import torch

from porter.emit.write import write_port
from porter.mapping.load import load_mappings
from porter.port import port_program
from porter.source.read import read_source

STEPS = 6
EPOCHS = 12
LOSSES = [1.0, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.8, 0.8, 0.8, 0.8, 0.8]

OPTIMIZERS = {
    "ASGD": ["lr=0.1", "lr=0.1, lambd=0.01, alpha=0.5, t0=2, weight_decay=0.1", "maximize=True"],
    "Adadelta": ["", "0.5, 0.8, 1e-4", "weight_decay=0.1, maximize=True"],
    "Adagrad": ["", "lr=0.1, lr_decay=0.1, weight_decay=0.1, initial_accumulator_value=0.1"],
    "Adam": [
        "",
        "0.1, (0.8, 0.9), 1e-3, 0.1",
        "lr=0.1, eps=1e-2",
        "lr=0.1, amsgrad=True",
        "lr=0.1, weight_decay=0.2, maximize=True",
    ],
    "AdamW": ["", "0.1, (0.8, 0.9), 1e-3, 0.2", "lr=0.1, amsgrad=True", "lr=0.1, maximize=True"],
    "Adamax": ["", "lr=0.1, betas=(0.8, 0.9), eps=1e-3, weight_decay=0.1"],
    "NAdam": ["", "lr=0.1, eps=1e-3, weight_decay=0.1, momentum_decay=0.01"],
    "RAdam": ["", "lr=0.1, eps=1e-3, weight_decay=0.1"],
    "RMSprop": ["", "lr=0.1, alpha=0.9, eps=1e-3, momentum=0.9, centered=True, weight_decay=0.1"],
    "Rprop": ["", "lr=0.1, etas=(0.4, 1.1), step_sizes=(1e-3, 1.0)"],
    "SGD": [
        "",
        "0.1, 0.9",
        "lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.1",
        "lr=0.1, momentum=0.9, dampening=0.5, maximize=True",
    ],
}
SCHEDULERS = {
    "ConstantLR": ["", "factor=0.5, total_iters=4"],
    "CosineAnnealingLR": ["5", "T_max=5, eta_min=0.01"],
    "CosineAnnealingWarmRestarts": ["3", "T_0=3, T_mult=2, eta_min=0.01"],
    "CyclicLR": [
        "0.01, 0.1, 3, cycle_momentum=False",
        "base_lr=0.01, max_lr=0.1, step_size_up=3, mode='triangular2', cycle_momentum=False",
        "0.01, 0.1, 2, 4, mode='exp_range', gamma=0.9, cycle_momentum=False",
    ],
    "ExponentialLR": ["0.9"],
    "LambdaLR": ["decay", "lr_lambda=[decay]"],
    "LinearLR": ["", "start_factor=0.5, end_factor=0.9, total_iters=4"],
    "MultiStepLR": ["[2, 5]", "milestones=[2, 5], gamma=0.5"],
    "MultiplicativeLR": ["decay"],
    "PolynomialLR": ["", "total_iters=5, power=2.0"],
    "ReduceLROnPlateau": ["factor=0.5, patience=1", "'max', 0.5, 1, cooldown=1, min_lr=0.02"],
    "SequentialLR": [
        "[torch.optim.lr_scheduler.ConstantLR(optimizer, 0.1, 2),"
        " torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)], [3]"
    ],
    "StepLR": ["3", "step_size=3, gamma=0.5"],
}
# What torch's own float32 gives is off by its rounding: the last digits, after some steps.
RTOL, ATOL = 1e-5, 5e-6

every_optimizer = pytest.mark.parametrize(
    ("name", "arguments"), [(name, text) for name, texts in OPTIMIZERS.items() for text in texts]
)
every_scheduler = pytest.mark.parametrize(
    ("name", "arguments"), [(name, text) for name, texts in SCHEDULERS.items() for text in texts]
)


def source_text() -> str:
    lines = ["import torch", "", "", "def decay(epoch: int) -> float:", "    return 0.9**epoch", ""]
    for name, texts in OPTIMIZERS.items():
        for number, text in enumerate(texts):
            lines += [f"def {name}_{number}(params: list):"]
            lines += [f"    return torch.optim.{name}(params{text and ', ' + text})", ""]
    for name, texts in SCHEDULERS.items():
        for number, text in enumerate(texts):
            call = f"torch.optim.lr_scheduler.{name}(optimizer{text and ', ' + text})"
            lines += [f"def {name}_{number}(optimizer):", f"    return {call}", ""]
    return "\n".join(lines)


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Any]]:
    """Return the module of the source and that of its port."""
    folder = tmp_path_factory.mktemp("optimizers")
    (folder / "optimizers_source.py").write_text(source_text())
    source = read_source(str(folder / "optimizers_source.py"))
    write_port(port_program(source, load_mappings()), folder / "optimizers_port", force=True)
    sys.path.insert(0, str(folder))
    yield (
        importlib.import_module("optimizers_source"),
        importlib.import_module("optimizers_port.optimizers_source"),
    )
    sys.path.remove(str(folder))


@pytest.fixture(params=[pytest.param("graph", marks=pytest.mark.slow), "pynative"])
def mode(request: pytest.FixtureRequest) -> Iterator[str]:
    ms.set_context(mode=ms.GRAPH_MODE if request.param == "graph" else ms.PYNATIVE_MODE)
    yield request.param
    ms.set_context(mode=ms.PYNATIVE_MODE)


def arrays() -> tuple[list[Any], list[list[Any]]]:
    """Return the weights to begin with, and the gradients of each step."""
    random = np.random.default_rng(0)
    shapes = [(3, 4), (5,)]
    weights = [random.standard_normal(shape).astype(np.float32) for shape in shapes]
    steps = [
        [random.standard_normal(shape).astype(np.float32) for shape in shapes] for _ in range(STEPS)
    ]
    return weights, steps


@every_optimizer
@pytest.mark.usefixtures("mode")
def test_an_optimizer_takes_the_steps_of_torch(
    name: str, arguments: str, modules: tuple[Any, Any]
) -> None:
    function = f"{name}_{OPTIMIZERS[name].index(arguments)}"
    weights, steps = arrays()
    theirs = [torch.nn.Parameter(torch.from_numpy(value.copy())) for value in weights]
    reference = getattr(modules[0], function)(theirs)
    ours = [ms.Parameter(ms.Tensor(value), name=f"p{i}") for i, value in enumerate(weights)]
    ported = getattr(modules[1], function)(ours)
    for gradients in steps:
        for parameter, gradient in zip(theirs, gradients, strict=True):
            parameter.grad = torch.from_numpy(gradient)
        reference.step()
        ported(tuple([ms.Tensor(gradient) for gradient in gradients]))
    for expected, actual, start in zip(theirs, ours, weights, strict=True):
        wanted = expected.detach().numpy()
        assert not np.allclose(wanted, start, rtol=0, atol=1e-4), "nothing was learned"
        np.testing.assert_allclose(actual.asnumpy(), wanted, rtol=RTOL, atol=ATOL)


@every_scheduler
@pytest.mark.filterwarnings("ignore:Detected call of")
def test_a_scheduler_gives_the_rates_of_torch(
    name: str, arguments: str, modules: tuple[Any, Any]
) -> None:
    function = f"{name}_{SCHEDULERS[name].index(arguments)}"
    reference = torch.optim.SGD([torch.nn.Parameter(torch.ones(2))], lr=0.1)
    ported = ms.experimental.optim.SGD([ms.Parameter(ms.Tensor([1.0, 1.0]), name="p")], lr=0.1)
    pairs = [
        (optimizer, getattr(module, function)(optimizer))
        for module, optimizer in zip(modules, (reference, ported), strict=True)
    ]
    rates: list[list[float]] = [[], []]
    for epoch in range(EPOCHS):
        for (optimizer, scheduler), found in zip(pairs, rates, strict=True):
            found.append(float(optimizer.param_groups[0]["lr"]))
            scheduler.step(*([LOSSES[epoch]] if name == "ReduceLROnPlateau" else []))
    assert len(set(rates[0])) > 1
    np.testing.assert_allclose(rates[1], rates[0], rtol=1e-5, atol=1e-7)


def test_every_optimizer_and_scheduler_of_the_table_is_run() -> None:
    named = {
        name.removeprefix("torch.optim.").removeprefix("lr_scheduler.")
        for name, entry in load_mappings().entries.items()
        if name.startswith("torch.optim.") and entry.kind == "function" and entry.manual is None
    }
    assert named == set(OPTIMIZERS) | set(SCHEDULERS)
