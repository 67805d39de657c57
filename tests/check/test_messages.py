"""Raise every message of the catalogue on this MindSpore, and explain what was raised."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest

from porter.check.checker import check_source
from porter.check.explain import explain
from porter.check.messages import Message, catalogue, find_messages
from porter.diagnostics.codes import CODES
from tests.check.pages import run_jobs, write_job

MESSAGES = catalogue()
TRIES = 3
ENDED = {"error": "the process ended"}
HEAD = """import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops


"""


def source_of(message: Message) -> str:
    """Return the file that raises a message: its Net, or the Net around its statements."""
    text = message.example
    if "class Net" not in text:
        body = textwrap.indent(text, "        ")
        text = f"class Net(nn.Cell):\n    def construct(self, x):\n{body}"
    inputs = f"# inputs: {message.inputs}\n" if message.inputs else ""
    return inputs + HEAD + text


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Run all examples; one that ends its process instead of raising is tried again."""
    found: dict[str, dict[str, Any]] = {}
    for _ in range(TRIES):
        root = tmp_path_factory.mktemp("messages")
        for message in MESSAGES:
            if raised(found.get(message.id, ENDED), message) == ENDED["error"]:
                modes = () if message.mode == "pynative" else (message.mode,)
                write_job(root / message.id, {"bad": source_of(message)}, {"bad": modes})
        found |= run_jobs(root)
    return found


def raised(report: dict[str, Any], message: Message) -> str:
    """Return what the example of a message raised; empty where nothing."""
    if report is ENDED:
        return str(ENDED["error"])
    return str(report["bad"][message.mode].get("error", ""))


def test_there_are_many_and_each_has_a_name_of_its_own() -> None:
    assert len(MESSAGES) >= 40
    assert len({message.id for message in MESSAGES}) == len(MESSAGES)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.id)
def test_its_example_raises_it(reports: dict[str, dict[str, Any]], message: Message) -> None:
    text = raised(reports[message.id], message)
    assert message.id in {found.message.id for found in find_messages(text)}, text


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.id)
def test_its_rules_exist_and_the_checker_finds_one_in_the_example(message: Message) -> None:
    assert set(message.rules) <= CODES.keys()
    assert message.sure in ("certain", "likely", "hint")
    if message.rules and message.sure == "certain" and message.id != "set-inputs-differs":
        codes = {item.code for item in check_source(source_of(message), Path("net.py"))}
        assert codes & set(message.rules)


LOG = """Traceback (most recent call last):
  File "{folder}/train.py", line 3, in <module>
    net(x)
  File "/x/site-packages/mindspore/nn/cell.py", line 1409, in __call__
    out = self.compile_and_run(*args, **kwargs)
ValueError: When handling script '__call_func_str__(__input_0__,) in graph mode', the inputs \
should be constant, but found variable '__input_0__' to be nonconstant.

----------------------------------------------------
- The Traceback of Net Construct Code:
----------------------------------------------------
# 0 In file {folder}/net.py:11, 15~21
        return helper(x)
# 1 In file {folder}/net.py:6, 22~38
    return x + Tensor(np.ones(x.shape), ms.float32)
"""
NET = """import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

def helper(x):
    return x + Tensor(np.ones(x.shape), ms.float32)


class Net(nn.Cell):
    def construct(self, x):
        return helper(x)
"""


def test_a_log_leads_to_the_line_and_to_the_finding(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(NET)
    explanation = explain(LOG.format(folder=tmp_path))
    assert [found.message.id for found in explanation.found] == ["inputs-should-be-constant"]
    lines = [(Path(place.path).name, place.line) for place in explanation.places]
    assert lines == [("net.py", 6), ("net.py", 11), ("train.py", 3)]
    [finding] = explanation.at(explanation.found[0])
    assert (finding.code, finding.position.line) == ("PRT301", 6)


def test_the_founding_message_is_told_with_its_history() -> None:
    explanation = explain("TypeError: Multiply values for specific argument: query_embeds\n")
    [found] = explanation.found
    assert found.message.history is not None
    assert "2.1.1" in found.message.history
    assert "PRT301" in found.message.history


def test_an_unknown_log_says_so() -> None:
    explanation = explain("Traceback\nValueError: a new one\n")
    assert explanation.found == ()
    assert explanation.raised == "ValueError: a new one"
