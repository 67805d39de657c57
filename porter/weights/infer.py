"""Guess what the Parameters of a Cell are called, from the names and shapes of a checkpoint alone.

Only the Cell itself knows its names. The guess takes MindSpore's own layers for those of torch, and
is marked as one, tensor by tensor.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from porter.types import Applicability, Finding, Position, Severity
from porter.weights.names import NameMap, ParameterNames, SourceName
from porter.weights.transforms import IDENTITY, Transform
from porter.weights.values import Transformed, Value

_EMBEDDING = re.compile(r"embed|(?:^|\.)(?:wte|wpe|tok|pos|shared)(?:$|[._])", re.IGNORECASE)
_CONVOLUTION = Transform("insert_axis", (2,))
_BATCH_NORM = {
    "weight": "gamma",
    "bias": "beta",
    "running_mean": "moving_mean",
    "running_var": "moving_variance",
}
_NORM = {"weight": "gamma", "bias": "beta"}
GUESS = "guess: "


def infer_names(values: Mapping[str, Value], origin: str) -> tuple[NameMap, Finding]:
    """Return a map of names that takes in every value, and the finding that it is a guess.

    Tensors of another rank, or under other names than torch's layers give, keep their names.
    """
    parameters = []
    dropped = {}
    changed = 0
    for name, value in values.items():
        owner, _, local = name.rpartition(".")
        if local == "num_batches_tracked" and _is_batch_norm(values, owner):
            dropped[name] = f"{GUESS}torch.nn.BatchNorm has it, mindspore.nn.BatchNorm has not"
            continue
        target, transform, layer = _guess(values, owner, local)
        key = f"{owner}.{target}" if owner else target
        made = value if transform == IDENTITY else Transformed(value, transform)
        source = SourceName((name,), transform, f"{GUESS}{layer}")
        parameters.append(ParameterNames(key, (source,), made.shape, value.dtype))
        changed += key != name or transform != IDENTITY
    message = (
        f"the names are guessed, since no Cell is given: {changed} of {len(parameters)} tensors "
        "get another name or layout, the others keep theirs"
    )
    review, warning = Applicability.REVIEW, Severity.WARNING
    finding = Finding("PRT511", Position(origin), message, review, warning)
    return NameMap(tuple(parameters), dropped), finding


def _guess(values: Mapping[str, Value], owner: str, local: str) -> tuple[str, Transform, str]:
    if _is_batch_norm(values, owner) and local in _BATCH_NORM:
        return _BATCH_NORM[local], IDENTITY, "BatchNorm"
    weight = values.get(f"{owner}.weight" if owner else "weight")
    rank = len(weight.shape) if weight is not None else 0
    if local in _NORM and rank == 1:
        return _NORM[local], IDENTITY, "a norm"
    if local == "weight" and rank == 2 and _EMBEDDING.search(owner):
        return "embedding_table", IDENTITY, "Embedding"
    if local == "weight" and rank == 3:
        return "weight", _CONVOLUTION, "Conv1d"
    return local, IDENTITY, "the same name"


def _is_batch_norm(values: Mapping[str, Value], owner: str) -> bool:
    prefix = f"{owner}." if owner else ""
    return f"{prefix}running_mean" in values and f"{prefix}running_var" in values
