"""Run the golden cases that are whole models in GRAPH mode beside their torch source."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import mindspore as ms
import numpy as np
import pytest
import torch

from tests.support_cases import Case, find_cases

every_model = pytest.mark.parametrize("case", find_cases("models"), ids=lambda case: case.name)


def loaded(path: Path, name: str, search: list[str] | None = None) -> ModuleType:
    specification = importlib.util.spec_from_file_location(
        name, path, submodule_search_locations=search
    )
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    specification.loader.exec_module(module)
    return module


@pytest.fixture
def strict_graph() -> Iterator[None]:
    ms.set_context(mode=ms.GRAPH_MODE, jit_config={"jit_level": "O0"}, jit_syntax_level=ms.STRICT)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE, jit_syntax_level=ms.LAX)


@dataclass(frozen=True, slots=True)
class Pair:
    """The source's model and the port's, with the same weights, and an input for both."""

    source: torch.nn.Module
    port: ms.nn.Cell
    x: np.ndarray[Any, np.dtype[np.float32]]


@pytest.fixture
def pair(case: Case, in_folder: Path) -> Pair:
    package = in_folder / f"ported_{case.name}"
    for item in case.port(in_folder).files:
        path = package / item.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(item.text)
    torch.manual_seed(0)
    source = loaded(in_folder / f"{case.name}.py", f"source_{case.name}").Model().eval()
    loaded(package / "__init__.py", package.name, [str(package)])
    port = loaded(package / f"{case.name}.py", f"{package.name}.{case.name}").Model()
    port.set_train(False)
    values = {name: value.detach().numpy() for name, value in source.named_parameters()}
    cells = dict(port.parameters_and_names())
    assert sorted(cells) == sorted(values)
    for name, parameter in cells.items():
        # A convolution over one axis keeps an axis more.
        parameter.set_data(ms.Tensor(values[name].reshape(parameter.shape)))
    x = np.random.default_rng(0).standard_normal((2, 5, 8)).astype(np.float32)
    return Pair(source, port, x)


@every_model
@pytest.mark.usefixtures("strict_graph")
def test_port_computes_what_the_source_computes(case: Case, pair: Pair) -> None:
    expected = pair.source(torch.from_numpy(pair.x)).detach().numpy()
    actual = pair.port(ms.Tensor(pair.x)).asnumpy()
    assert (actual.shape, actual.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-5)


@every_model
@pytest.mark.usefixtures("strict_graph")
def test_gradients_are_those_of_the_source(case: Case, pair: Pair) -> None:
    x = torch.from_numpy(pair.x).requires_grad_()
    output = pair.source(x)
    factors = np.random.default_rng(1).standard_normal(output.shape).astype(np.float32)
    (output * torch.from_numpy(factors)).sum().backward()
    expected = {"x": x.grad, **{n: p.grad for n, p in pair.source.named_parameters()}}
    parameters = dict(pair.port.parameters_and_names())
    weights = list(parameters.values())
    found = ms.grad(Weighed(pair.port, factors).set_train(False), 0, weights=weights)(
        ms.Tensor(pair.x)
    )
    actual = {"x": found[0], **dict(zip(parameters, found[1], strict=True))}
    assert sorted(actual) == sorted(expected)
    for name, gradient in expected.items():
        wanted = np.zeros(actual[name].shape) if gradient is None else gradient.numpy()
        wanted = wanted.reshape(actual[name].shape)
        np.testing.assert_allclose(actual[name].asnumpy(), wanted, rtol=1e-4, atol=1e-5)


class Weighed(ms.nn.Cell):  # type: ignore[misc]
    """The sum of a Cell's output times fixed factors."""

    def __init__(self, cell: ms.nn.Cell, factors: np.ndarray[Any, np.dtype[np.float32]]) -> None:
        super().__init__()
        self.cell = cell
        self.factors = ms.Tensor(factors)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return (self.cell(x) * self.factors).sum()
