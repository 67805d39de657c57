"""Hold the time of a port to a small multiple of what parsing and printing the source takes."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path

import libcst as cst

from porter.mapping.load import load_mappings
from porter.port import port_program
from porter.source.read import locate_module, read_source

MODULE = "transformers.models.blip_2.modeling_blip_2"


def best_of_three(work: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        gc.collect()
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def test_a_whole_module_is_ported_in_two_and_a_half_parses() -> None:
    path = locate_module(MODULE)
    assert path is not None
    text = Path(path).read_text(encoding="utf-8")
    mapping = load_mappings()
    source = read_source(MODULE)
    parse = best_of_three(lambda: cst.parse_module(text).code)
    port = best_of_three(lambda: port_program(source, mapping))
    assert port <= 2.5 * parse, (
        f"{port:.3f} s, {port / parse:.2f} times the {parse:.3f} s of LibCST"
    )
