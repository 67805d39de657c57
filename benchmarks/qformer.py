"""Print ratios, each within one run: the ported Q-Former against torch, porting against parsing.

The figures are seconds on this machine's CPU; only the ratios are meant to be compared.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import libcst as cst
from rich.console import Console
from rich.table import Table

from porter.emit.write import write_port
from porter.port import port_source
from porter.source.read import find_module

MODULE = "transformers.models.blip_2.modeling_blip_2"
CLASS = "Blip2QFormerModel"
RUNS = 5
CONFIG = {
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
    "encoder_hidden_size": 1408,
}


def best(function: Callable[[], object], runs: int = RUNS) -> float:
    """Return the shortest of several runs, in seconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def porting() -> tuple[float, float]:
    """Return seconds to port a whole modeling file, and to parse and print it with LibCST."""
    text = find_module(MODULE).text
    return best(lambda: port_source(MODULE)), best(lambda: cst.parse_module(text).code)


def torch_forward() -> dict[str, float]:
    """Time one eager forward of the torch model: 32 queries over 257 image tokens, batch 1."""
    import torch
    from transformers import Blip2QFormerConfig, Blip2QFormerModel

    model = Blip2QFormerModel(Blip2QFormerConfig(**CONFIG)).eval()
    query, image = torch.randn(1, 32, 768), torch.randn(1, 257, 1408)
    with torch.no_grad():
        model(query_embeds=query, encoder_hidden_states=image)
        return {"call": best(lambda: model(query_embeds=query, encoder_hidden_states=image))}


def ported_forward(folder: str) -> dict[str, float]:
    """Time the first call and a later one of the port in GRAPH_MODE, STRICT syntax."""
    sys.path.insert(0, str(Path(folder).parent))
    import importlib

    import mindspore as ms
    import numpy as np
    from transformers import Blip2QFormerConfig

    ms.set_device("CPU")
    ms.set_context(mode=ms.GRAPH_MODE, jit_config={"jit_level": "O0"}, jit_syntax_level=ms.STRICT)
    module = importlib.import_module(f"{Path(folder).name}.{MODULE.rpartition('.')[2]}")
    configuration = Blip2QFormerConfig(**CONFIG)
    model = getattr(module, CLASS)(configuration)
    model.set_train(False)
    draw = np.random.default_rng(0).standard_normal
    query = ms.Tensor(draw((1, 32, 768)).astype(np.float32))
    image = ms.Tensor(draw((1, 257, 1408)).astype(np.float32))

    def call() -> None:
        model(query_embeds=query, encoder_hidden_states=image).last_hidden_state.asnumpy()

    first = best(call, 1)
    return {"first": first, "call": best(call)}


def _in_process(*arguments: str) -> dict[str, float]:
    """Run one side alone in its own process and return what it printed."""
    command = [sys.executable, __file__, *arguments]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return {name: float(value) for name, value in json.loads(done.stdout.splitlines()[-1]).items()}


def main() -> None:
    """Measure, and print one table of ratios with their goals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--side", choices=["torch", "port"], help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.side == "torch":
        print(json.dumps(torch_forward()))
        return
    if options.side == "port":
        print(json.dumps(ported_forward(options.folder)))
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "qformer_port"
        write_port(port_source(f"{MODULE}:{CLASS}"), folder)
        eager = _in_process("--side", "torch")
        graph = _in_process("--side", "port", "--folder", str(folder))
    port_seconds, parse_seconds = porting()
    table = Table("measured", "seconds", "against", "seconds", "ratio", "goal")
    rows = (
        (
            "one forward in GRAPH_MODE",
            graph["call"],
            "torch eager",
            eager["call"],
            1.0,
        ),
        (
            "porting a whole file",
            port_seconds,
            "LibCST",
            parse_seconds,
            2.0,
        ),
    )
    for name, seconds, against, base, goal in rows:
        table.add_row(
            name, f"{seconds:.3f}", against, f"{base:.3f}", f"{seconds / base:.2f}", f"{goal:.1f}"
        )
    table.add_row("first call of the compiled graph", f"{graph['first']:.2f}", "", "", "", "")
    Console().print(table)


if __name__ == "__main__":
    main()
