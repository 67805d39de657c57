"""Run the golden cases that are whole models in GRAPH mode beside their torch source."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

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


@every_model
@pytest.mark.usefixtures("strict_graph")
def test_port_computes_what_the_source_computes(case: Case, in_folder: Path) -> None:
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
        parameter.set_data(ms.Tensor(values[name]))
    x = np.random.default_rng(0).standard_normal((2, 5, 8)).astype(np.float32)
    expected = source(torch.from_numpy(x)).detach().numpy()
    actual = port(ms.Tensor(x)).asnumpy()
    assert (actual.shape, actual.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-5)
