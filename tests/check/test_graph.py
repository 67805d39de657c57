"""Find the code that the compiler reads, through every way that leads to it, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.check.checker import check_files
from porter.check.project import find_files
from porter.types import PorterError

HEAD = """import mindspore as ms
from mindspore import Tensor, jit, nn, ops


"""
BODY = "    try:\n        return x\n    finally:\n        pass\n"
METHOD = BODY.replace("    ", "        ", 1).replace("\n    ", "\n        ").rstrip(" ")


def codes(folder: Path, files: dict[str, str]) -> list[tuple[str, str]]:
    """Write files and check the folder; return the file and the code of each finding."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    problems = check_files(find_files([folder])).problems
    return [(item.path.name, item.finding.code) for item in problems]


@pytest.mark.parametrize("decorator", ["@jit", "@ms.jit", "@jit(backend='ms_backend')"])
def test_functions_under_jit_are_compiled(tmp_path: Path, decorator: str) -> None:
    text = f"{HEAD}{decorator}\ndef run(x):\n{BODY}"
    assert codes(tmp_path, {"net.py": text}) == [("net.py", "PRT305")]


def test_functions_that_jit_is_given_are_compiled(tmp_path: Path) -> None:
    text = f"{HEAD}def run(x):\n{BODY}\n\nfast = ms.jit(run)\n"
    assert codes(tmp_path, {"net.py": text}) == [("net.py", "PRT305")]


def test_plain_functions_are_not(tmp_path: Path) -> None:
    assert codes(tmp_path, {"net.py": f"{HEAD}def run(x):\n{BODY}"}) == []


@pytest.mark.parametrize(
    "call", ["helper(x)", "tools.helper(x)", "again(x)", "self.twice(x)", "super().construct(x)"]
)
def test_what_construct_calls_is_compiled_wherever_it_lies(tmp_path: Path, call: str) -> None:
    refused, plain = METHOD, "        return x\n"
    base = (
        f"{HEAD}class Base(nn.Cell):\n"
        f"    def construct(self, x):\n{refused if call.startswith('super') else plain}\n"
        f"    def twice(self, x):\n{refused}"
    )
    net = (
        "from package import tools\nfrom package.tools import helper\n"
        "from package.names import helper as again\nfrom package.base import Base\n\n\n"
        f"class Net(Base):\n    def construct(self, x):\n        return {call}\n"
    )
    found = codes(
        tmp_path,
        {
            "package/__init__.py": "",
            "package/tools.py": f"def helper(x):\n{BODY}",
            "package/names.py": "from .tools import helper\n",
            "package/base.py": base,
            "net.py": net,
        },
    )
    place = "base.py" if "self" in call or "super" in call else "tools.py"
    assert found == [(place, "PRT305")]


def test_nested_functions_are_compiled_with_their_function(tmp_path: Path) -> None:
    inner = BODY.replace("    ", "            ", 1).replace("\n    ", "\n            ").rstrip(" ")
    text = (
        f"{HEAD}class Net(nn.Cell):\n    def construct(self, x):\n"
        f"        def inner(x):\n{inner}\n        return inner(x)\n"
    )
    assert codes(tmp_path, {"net.py": text}) == [("net.py", "PRT305")]


def test_files_are_found_once_and_hidden_ones_are_left_out(tmp_path: Path) -> None:
    for name in ("a.py", "b.txt", ".hidden/c.py", "sub/d.py", "build/e.py", "old_f.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
    found = find_files([tmp_path, tmp_path / "a.py"], ["old*"])
    assert [path.name for path in found] == ["a.py", "d.py"]
    assert find_files([tmp_path / "old_f.py"], ["old*"]) == [tmp_path / "old_f.py"]
    with pytest.raises(PorterError):
        find_files([tmp_path / "missing"])
