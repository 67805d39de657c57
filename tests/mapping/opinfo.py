"""Write the samples of PyTorch's own tests (OpInfo, ModuleInfo) as samples of a mapping table."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.common_modules import module_db

from porter.mapping.load import Mapping
from porter.mapping.schema import Sample
from porter.parity.samples import DTYPES

PER_DTYPE = {torch.float32: 16, torch.int64: 5, torch.bool: 3}
"""How many samples of an operator are taken at most, by the dtype of its inputs."""
LARGEST = 2000
"""Arrays with more elements make the text long and prove no more."""
_SPELLED = {getattr(torch, name): short for short, name in DTYPES.items()}


class UnspokenError(Exception):
    """A value that the text of a sample cannot hold."""


def samples_of_operators(mapping: Mapping) -> dict[str, list[Sample]]:
    """Return OpInfo's samples by the name of our entry: functions, methods, updates in place."""
    found: dict[str, list[Sample]] = {}
    for info in op_db:
        last = info.name.rpartition(".")[2]
        names = [f"torch.{item.name}" for item in (info, *info.aliases)]
        if info.method_variant is not None:
            names.append(f"torch.Tensor.{last}")
        if info.inplace_variant is not None:
            names.append(f"torch.Tensor.{last}_")
        entries = {e.name: e for name in names if (e := mapping.entries.get(name)) and e.overloads}
        if not entries:
            continue
        texts = list(_texts(info))
        for name, entry in entries.items():
            if entry.kind in ("function", "method"):
                found.setdefault(name, []).extend(Sample(text) for text in texts)
    return {name: list(dict.fromkeys(samples)) for name, samples in found.items()}


def samples_of_modules(mapping: Mapping) -> dict[str, list[Sample]]:
    """Return ModuleInfo's samples by the name of our entry."""
    found: dict[str, list[Sample]] = {}
    for info in module_db:
        entry = mapping.entries.get(f"torch.{info.name}")
        if entry is None or entry.kind != "module" or not entry.overloads:
            continue
        inputs = info.module_inputs_func(
            info, device="cpu", dtype=torch.float32, requires_grad=False, training=False
        )
        for item in inputs:
            try:
                init = _arguments(item.constructor_input)
                call = _arguments(item.forward_input)
            except UnspokenError:
                continue
            found.setdefault(entry.name, []).append(Sample(call, init))
    return found


def _texts(info: Any) -> Iterator[str]:
    for dtype, count in PER_DTYPE.items():
        if dtype not in info.dtypes:
            continue
        samples = info.sample_inputs("cpu", dtype)
        yield from itertools.islice(_spoken(samples), count)


def _spoken(samples: Any) -> Iterator[str]:
    for sample in samples:
        try:
            positional = [_text(value) for value in (sample.input, *sample.args)]
            named = [f"{name}={_text(value)}" for name, value in sample.kwargs.items()]
        except UnspokenError:
            continue
        yield ", ".join([*positional, *named])


def _arguments(given: Any) -> str:
    named = [f"{name}={_text(value)}" for name, value in given.kwargs.items()]
    return ", ".join([*map(_text, given.args), *named])


def _text(value: Any) -> str:
    match value:
        case torch.Tensor():
            return _array(value)
        case torch.Size() | tuple():
            return f"({''.join(_text(item) + ', ' for item in value)})"
        case list():
            return f"[{', '.join(map(_text, value))}]"
        case float() if not math.isfinite(value):
            return f'float("{value}")'
        case torch.dtype():
            return str(value)
        case None | bool() | int() | float() | complex() | str():
            return repr(value)
    raise UnspokenError(type(value).__name__)


def _array(tensor: torch.Tensor) -> str:
    short = _SPELLED.get(tensor.dtype)
    if short is None or tensor.layout is not torch.strided or tensor.numel() > LARGEST:
        raise UnspokenError(str(tensor.dtype))
    plain = tensor.detach().resolve_conj().resolve_neg()
    if not plain.numel():
        return f"{short}[{', '.join(map(str, plain.shape))}]"
    return f"{short}({plain.tolist()})"
