"""Hold the time of a port to a small multiple of what parsing and printing the source takes."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path

import libcst as cst

from porter.port import port_source
from porter.source.read import locate_module

MODULE = "transformers.models.blip_2.modeling_blip_2"


def seconds(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def test_a_whole_module_is_ported_in_two_and_a_half_parses() -> None:
    path = locate_module(MODULE)
    assert path is not None
    text = Path(path).read_text(encoding="utf-8")
    # In turn, so that a busy moment of the machine does not hit one side alone.
    rounds = [
        (
            seconds(lambda: cst.parse_module(text).code),
            seconds(lambda: port_source(MODULE)),
        )
        for _ in range(3)
    ]
    parse, port = (min(times) for times in zip(*rounds, strict=True))
    assert port <= 2.5 * parse, (
        f"{port:.3f} s, {port / parse:.2f} times the {parse:.3f} s of LibCST"
    )
