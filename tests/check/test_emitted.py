"""Check ports: one that cannot compile is not clean, and what compiles gives no finding."""

from __future__ import annotations

from pathlib import Path

from porter.check.emitted import emitted_findings
from porter.port import port_source
from porter.types import PortedFile

RIGHT = """import mindspore as ms
from mindspore import nn


class Net(nn.Cell):
    def construct(self, x: ms.Tensor):
        return x.swapaxes(0, 1)
"""


def ported(text: str, source: str | None = "") -> list[PortedFile]:
    return [PortedFile(Path("net.py"), text, source)]


def test_a_wrong_call_in_a_port_is_an_error_with_its_place() -> None:
    [found] = emitted_findings(ported(RIGHT.replace("swapaxes", "transpose")))
    assert (found.code, str(found.position)) == ("PRT320", "net.py:7:16")
    assert found.message.startswith("in the port: ")


def test_a_right_port_and_files_without_a_source_give_nothing() -> None:
    assert emitted_findings(ported(RIGHT)) == []
    assert emitted_findings(ported(RIGHT.replace("swapaxes", "transpose"), None)) == []


def test_a_port_that_the_checker_refuses_is_not_clean(tmp_path: Path) -> None:
    source = tmp_path / "model.py"
    source.write_text(
        "import functools\n\nimport torch\nfrom torch import nn\n\n\n"
        "def doubled(function):\n    @functools.wraps(function)\n"
        "    def run(*args):\n        return function(*args) * 2\n\n    return run\n\n\n"
        "@doubled\ndef scaled(x: torch.Tensor):\n    return x + 1\n\n\n"
        "class Net(nn.Module):\n    def forward(self, x: torch.Tensor):\n        return scaled(x)\n"
    )
    result = port_source(str(source))
    assert not result.clean
    assert {"PRT207", "PRT312"} & {finding.code for finding in result.findings}
