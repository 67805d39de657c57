"""Mend code and hold what is written to what NumPy made: values, dtypes, imports, comments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from porter.check.checker import check_source
from porter.check.fix import fixed_text
from tests.check.pages import ALL_MODES, run_jobs, write_job

HEAD = """import mindspore as ms
import numpy as np
from mindspore import Tensor, nn


class Net(nn.Cell):
    def construct(self, x: Tensor):
        b, n = x.shape
        return {}
"""
# Each is mended; the mended code gives the values and the dtype of the code before.
EXACT = [
    "Tensor(np.ones((b, n)), ms.float32)",
    "Tensor(np.ones((b, n)))",
    "Tensor(np.ones(n, dtype=np.int32))",
    "Tensor(np.ones(x.shape, 'float16'))",
    "ms.Tensor(np.zeros((b, 2)), dtype=ms.int64)",
    "Tensor(np.zeros((b, n), bool))",
    "Tensor(np.zeros((b, n)).astype(np.float32))",
    "Tensor(np.full((b, n), 0.5), ms.float32)",
    "Tensor(np.full((b, n), 0.5))",
    "Tensor(np.full((b, n), 7))",
    "Tensor(np.full((b, n), True))",
    "Tensor(np.full((b, n), -2, np.float32))",
    "Tensor(np.arange(n))",
    "Tensor(np.arange(0, n, 1), ms.float32)",
    "Tensor(np.arange(1, n + 1), ms.int32)",
    "Tensor(np.arange(n, dtype=np.float32))",
    "Tensor(np.eye(n))",
    "Tensor(np.eye(n, 2), ms.float32)",
    "Tensor(np.concatenate((x, x), 0))",
    "Tensor(np.reshape(x, (-1,)))",
    "Tensor(np.where(x > 0, x, x * 2))",
    "Tensor(b, ms.float32)",
    "Tensor([x[0, 0], x[0, 1]])",
    "Tensor(x * 2)",
    "Tensor(x, ms.float16)",
    "np.exp(x * 1)",
    "x / np.sqrt(n)",
    "x * (np.sqrt(n) + 1)",
    "x * len(x)",
    "x.transpose(0, 1)",
    "x[:1].expand(b, -1)",
    "x.max(0)[0]",
    "x.argmax()",
]
# These draw: the shape and the dtype stay, the numbers do not.
DRAWN = [
    "Tensor(np.random.randn(b, n), ms.float32)",
    "Tensor(np.random.randn(b, n))",
    "Tensor(np.random.normal(0.0, 2.0, (b, n)), ms.float32)",
    "Tensor(np.random.normal(size=x.shape), ms.float32)",
    "Tensor(np.random.uniform(0.0, 1.0, (b, n)), ms.float32)",
    "Tensor(np.random.uniform(-1.0, 1.0, size=x.shape), ms.float32)",
    "Tensor(np.random.uniform(size=(b, n)), ms.float32)",
    "Tensor(np.random.randint(0, 9, (b, n)))",
]
# What is not known for sure is left: the dtype, the meaning, or who else holds the value.
LEFT = [
    "Tensor(np.ones((b, n), x.dtype))",
    "Tensor(np.full((b, n), x.shape[0] / 2))",
    "Tensor(np.triu(np.ones((n, n)), 1), ms.float32)",
    "Tensor(np.linspace(0, 1, n), ms.float32)",
    "np.prod(x.shape) * x",
    "x * np.arange(n)",
]


def mended(expression: str, folder: Path) -> str:
    return fixed_text(HEAD.format(expression), folder / "net.py", (), ())


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    root = tmp_path_factory.mktemp("mended")
    for number, expression in enumerate(EXACT + DRAWN):
        texts = {"bad": HEAD.format(expression), "good": mended(expression, root)}
        write_job(root / str(number), texts, {"good": ALL_MODES, "bad": ()})
    return run_jobs(root)


@pytest.mark.parametrize("expression", EXACT)
def test_mended_code_gives_the_same_in_every_mode(
    reports: dict[str, dict[str, Any]], expression: str
) -> None:
    report = reports[str(EXACT.index(expression))]
    assert report["agree"], report
    for mode in ALL_MODES:
        assert report["good"][mode].get("same") is True, (mode, report["good"][mode])


@pytest.mark.parametrize("expression", DRAWN)
def test_mended_draws_compile_and_keep_the_dtype(
    reports: dict[str, dict[str, Any]], expression: str
) -> None:
    report = reports[str(len(EXACT) + DRAWN.index(expression))]
    for mode in ALL_MODES:
        assert "error" not in report["good"][mode], (mode, report["good"][mode])
    dtypes = [report[stem]["pynative"]["shown"].partition("dtype=")[2] for stem in ("good", "bad")]
    assert dtypes[0] == dtypes[1]


@pytest.mark.parametrize("expression", EXACT + DRAWN)
def test_nothing_is_left_to_find_and_numpy_is_gone(expression: str, tmp_path: Path) -> None:
    text = mended(expression, tmp_path)
    assert [str(item) for item in check_source(text, tmp_path / "net.py")] == []
    assert ("import numpy" in text) == ("np." not in expression)


@pytest.mark.parametrize("expression", LEFT)
def test_what_is_not_sure_is_found_and_left(expression: str, tmp_path: Path) -> None:
    text = HEAD.format(expression)
    assert check_source(text, tmp_path / "net.py")
    assert fixed_text(text, tmp_path / "net.py", (), ()) == text


def test_what_may_be_an_array_is_found_and_left(tmp_path: Path) -> None:
    text = HEAD.format("self.load(x).transpose(0, 1)")
    assert [item.code for item in check_source(text, tmp_path / "net.py")] == ["PRT320"]
    assert fixed_text(text, tmp_path / "net.py", (), ()) == text
    without = text.replace("import numpy as np\n", "")
    assert "swapaxes" in fixed_text(without, tmp_path / "net.py", (), ())


def test_nested_mends_are_all_made(tmp_path: Path) -> None:
    text = HEAD.format("Tensor(np.ones(x.transpose(0, 1).shape), ms.float32).transpose(0, 1)")
    new = fixed_text(text, tmp_path / "net.py", (), ())
    assert "ops.ones(x.swapaxes(0, 1).shape, ms.float32).swapaxes(0, 1)" in new


def test_comments_about_what_goes_stay(tmp_path: Path) -> None:
    text = HEAD.format("x").replace(
        "        return x\n",
        "        y = x\n        # free memory\n        del x  # now\n        return y\n",
    )
    new = fixed_text(text, tmp_path / "net.py", (), ())
    assert "        # free memory\n        pass  # now\n" in new


def test_imports_that_something_else_reads_stay(tmp_path: Path) -> None:
    text = "import os\n" + HEAD.format("x.transpose(0, 1)") + "\n\nPI = np.pi\n"
    new = fixed_text(text, tmp_path / "net.py", (), ())
    assert new == text.replace("transpose", "swapaxes")


def test_a_name_that_is_taken_is_not_imported_again(tmp_path: Path) -> None:
    text = HEAD.format("Tensor(np.ones((b, n)), ms.float32)") + "\n\nops = 3\n"
    new = fixed_text(text, tmp_path / "net.py", (), ())
    assert "return ms.ops.ones((b, n), ms.float32)" in new
