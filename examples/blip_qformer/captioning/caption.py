"""Port BLIP's captioning model, and compare the captions that PyTorch and the port give."""

from __future__ import annotations

import argparse
import importlib
import logging
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
import torch
from transformers import BlipConfig
from transformers.models.blip.modeling_blip import BlipForConditionalGeneration

from porter.cli import main as porter

SIZES = {"tiny": (32, 2, 97), "small": (256, 6, 8000), "base": (768, 12, 30524)}
"""Width, layers and vocabulary; the last are those of the published captioning model."""


def make_reference(size: str) -> Any:
    """Return a model of PyTorch with random weights that do not give the same token for ever."""
    width, layers, vocabulary = SIZES[size]
    shared = {
        "hidden_size": width,
        "intermediate_size": 4 * width,
        "num_hidden_layers": layers,
        "num_attention_heads": width // 64 or 4,
        "projection_dim": width,
    }
    text = {
        "vocab_size": vocabulary,
        "encoder_hidden_size": width,
        "max_position_embeddings": 128,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "sep_token_id": 2,
        "is_decoder": True,
    }
    config = BlipConfig(
        text_config={**shared, **text},
        vision_config={**shared, "image_size": 64, "patch_size": 16},
        projection_dim=width,
    )
    torch.manual_seed(0)
    model = BlipForConditionalGeneration(config)
    tokens = model.get_input_embeddings().weight
    with torch.no_grad():
        for name, value in model.named_parameters():
            # A narrow embedding: a head that is tied to a wide one repeats its input.
            if value is tokens:
                value.normal_(0.0, 0.1)
            elif value.ndim > 1:
                value.normal_(0.0, 1.5 / value.shape[-1] ** 0.5)
            elif "norm" not in name.lower():
                value.normal_(0.0, 0.1)
    return model.eval()


def port(reference: Any, folder: Path) -> Any:
    """Return the port with the weights of a model of PyTorch, by `porter port` and `weights`."""
    source = "transformers.models.blip.modeling_blip:BlipForConditionalGeneration"
    reference.save_pretrained(folder / "saved")
    checkpoint, config = (folder / "saved" / name for name in ("model.safetensors", "config.json"))
    ported, weights = folder / "captioning_port", folder / "ported.safetensors"
    if porter(["port", source, "-o", str(ported)]) or porter(
        ["weights", *map(str, (checkpoint, "-o", weights, "--port", ported, "--config", config))]
    ):
        sys.exit(1)
    sys.path.insert(0, str(folder))
    module = importlib.import_module("captioning_port.modeling_blip")
    model = module.BlipForConditionalGeneration(reference.config)
    ms.load_param_into_net(
        model, ms.load_checkpoint(str(weights), format="safetensors"), strict_load=True
    )
    return model.set_train(False)


def timed(generate: Callable[[], Any]) -> tuple[Any, float, float]:
    """Return what a call gives, with the seconds of the first call and of the third."""
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        result = generate()
        seconds.append(time.perf_counter() - start)
    return np.asarray(result), seconds[0], seconds[-1]


def run(size: str, tokens: int, folder: Path) -> bool:
    """Print both captions' figures; return whether all tokens are equal."""
    reference = make_reference(size)
    model = port(reference, folder)
    pixels = np.random.default_rng(7).normal(size=(2, 3, 64, 64)).astype(np.float32)
    options = {"max_new_tokens": tokens, "do_sample": False}
    with torch.no_grad():
        wanted, first, last = timed(
            lambda: reference.generate(torch.from_numpy(pixels), **options).numpy()
        )
    print(f"torch      first call {first:6.2f} s, third {last:6.3f} s")
    found, first, last = timed(lambda: model.generate(ms.Tensor(pixels), **options).asnumpy())
    print(f"MindSpore  first call {first:6.2f} s, third {last:6.3f} s")
    graphs = model.text_decoder.token_generator.compilations
    print(f"graphs     {graphs['prompt']} for the prompt, {graphs['step']} for all steps behind it")
    new = found[:, 1:]
    print(f"tokens     {new.size} new, {len(np.unique(new))} of them distinct")
    if found.shape == wanted.shape and (found == wanted).all():
        print(f"           {new.size / last:.0f} a second; all equal to torch's")
        return True
    length = min(found.shape[1], wanted.shape[1])
    different = np.argwhere(found[:, :length] != wanted[:, :length])
    place = different[0].tolist() if different.size else f"length {length}"
    print(f"           different from torch's, first at {place}")
    return False


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", choices=SIZES, default="tiny")
    parser.add_argument("--tokens", type=int, default=32)
    given = parser.parse_args()
    logging.getLogger("transformers").setLevel(logging.ERROR)
    ms.set_context(mode=ms.GRAPH_MODE, jit_config={"jit_level": "O0"}, jit_syntax_level=ms.STRICT)
    with tempfile.TemporaryDirectory() as name:
        sys.exit(0 if run(given.size, given.tokens, Path(name)) else 1)
