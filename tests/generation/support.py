"""Port small models that generate, with torch's weights, beside torch's own."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mindspore as ms
import torch
from safetensors.torch import save_file

from porter.cli import main
from porter.weights.cell import build_cell


@dataclass(frozen=True, slots=True)
class Pair:
    """A model of torch and its port, with the same weights, in evaluation mode."""

    reference: Any
    ported: Any


def make_reference(source: str, config: Any) -> Any:
    """Return a model of transformers ("module:Class") whose random tokens are not all the same.

    With weights as they are made one token wins for ever. All are drawn anew: those of the layers
    wide, those of the tokens narrow, since a head that is tied to them would repeat its input.
    """
    module, _, name = source.partition(":")
    torch.manual_seed(0)
    model = getattr(importlib.import_module(module), name)(config)
    tokens = model.get_input_embeddings().weight
    with torch.no_grad():
        for key, value in model.named_parameters():
            if value is tokens:
                value.normal_(0.0, 0.1)
            elif value.ndim > 1:
                value.normal_(0.0, 1.5 / value.shape[-1] ** 0.5)
            elif "norm" not in key.lower():
                value.normal_(0.0, 0.1)
    return model.eval()


def make_pair(source: str, config: Any, folder: Path) -> Pair:
    """Port "module:Class" into `folder`, convert the weights of torch's model and load them."""
    reference = make_reference(source, config)
    port = folder / f"port_{folder.name}"
    state = {name: value.clone().contiguous() for name, value in reference.state_dict().items()}
    save_file(state, str(folder / "model.safetensors"))
    written = folder / "config.json"
    written.write_text(json.dumps(_saved(config, source)))
    assert main(["port", source, "-o", str(port), "--config", str(written)]) == 0
    weights = folder / "ported.safetensors"
    given = ["--port", str(port), "--config", str(written)]
    assert main(["weights", str(folder / "model.safetensors"), "-o", str(weights), *given]) == 0
    cell = build_cell(None, port, written)
    values = ms.load_checkpoint(str(weights), format="safetensors")
    assert ms.load_param_into_net(cell, values, strict_load=True) == ([], [])
    cell.set_train(False)
    return Pair(reference, cell)


def _saved(config: Any, source: str) -> Mapping[str, Any]:
    return {**config.to_dict(), "architectures": [source.partition(":")[2]]}
