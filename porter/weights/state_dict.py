"""Find the state dict in what a torch checkpoint holds; never choose between two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from porter.types import PorterError, Position
from porter.weights.location import Location, fail
from porter.weights.torch_objects import PickledTensor

DEPTH = 3


def find_state_dict(location: Location, loaded: Any, key: str | None) -> Mapping[Any, Any]:
    """Return the state dict below `key`, or the only one that there is.

    `key` is a dotted path; where it is None, the whole file is taken if it holds tensors itself.

    Raises PorterError: PRT507 where there is none or several, PRT703 where `key` leads nowhere.
    """
    if not isinstance(loaded, Mapping):
        what = "Tensor" if isinstance(loaded, PickledTensor) else type(loaded).__name__
        fail(location, f"it holds {what}, not a state dict")
    found = dict(_state_dicts(loaded, "", 0))
    if key is not None:
        if key not in found:
            raise PorterError(
                "PRT703",
                f"the checkpoint holds no state dict as {key!r}",
                hint=f"it holds {', '.join(found)}" if found else None,
                position=Position(str(location)),
            )
        return found[key]
    # A file without any tensor is read as it is: what it holds is then told by name.
    if not found or _holds_tensors(loaded):
        return loaded
    if len(found) > 1:
        raise PorterError(
            "PRT507",
            f"ambiguous checkpoint: it holds a state dict as {' and as '.join(found)}",
            hint=f"choose with --key {next(iter(found))}",
            position=Position(str(location)),
        )
    return next(iter(found.values()))


def _state_dicts(
    value: Mapping[Any, Any], path: str, depth: int
) -> Iterator[tuple[str, Mapping[Any, Any]]]:
    for name, item in value.items():
        if not isinstance(name, str) or not isinstance(item, Mapping):
            continue
        inner = f"{path}.{name}" if path else name
        if _holds_tensors(item):
            yield inner, item
        elif depth < DEPTH:
            yield from _state_dicts(item, inner, depth + 1)


def _holds_tensors(value: Mapping[Any, Any]) -> bool:
    """Tell whether the first entries are tensors; an optimizer's state has numbers as names."""
    return any(
        isinstance(name, str) and isinstance(item, PickledTensor) for name, item in value.items()
    )
