"""Map every Parameter of a Cell to its names in a torch state dict, along the tree of Cells."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from porter.mapping.load import Mapping
from porter.types import PorterError
from porter.weights.dtypes import BY_MINDSPORE, Array, Dtype
from porter.weights.rules import ModuleRule, RuleTable
from porter.weights.transforms import IDENTITY, Transform

if TYPE_CHECKING:
    import mindspore


@dataclass(frozen=True, slots=True)
class SourceName:
    """One name of a tensor in torch, and how its value becomes the Parameter's.

    `rule` is the mapping entry that says so, or None where the names are alike.
    """

    name: str
    transform: Transform = IDENTITY
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class ParameterNames:
    """One Parameter: the key that mindspore.load_param_into_net uses, and its names in torch.

    A Parameter that is reached by several attribute paths (tied weights) has several sources.
    """

    key: str
    sources: tuple[SourceName, ...]
    shape: tuple[int, ...]
    dtype: Dtype


@dataclass(frozen=True, slots=True)
class NameMap:
    """All Parameters of a Cell, and the torch names that it does not need, with the reason."""

    parameters: tuple[ParameterNames, ...]
    dropped: AbstractMapping[str, str]


@dataclass(frozen=True, slots=True)
class _Place:
    """A Cell on the way from the root to a Parameter, with its attribute path."""

    path: str
    cell: Any


def map_names(cell: mindspore.nn.Cell, mapping: Mapping) -> NameMap:
    """Return the total name map of `cell`.

    Raises PorterError: PRT901 where the mapping is ambiguous for a Cell that has Parameters, PRT502
    where MindSpore itself cannot tell two Parameters apart, PRT504 for a dtype that no MindSpore
    file holds.
    """
    rules = RuleTable(mapping)
    parameters: dict[int, Any] = {}
    sources: dict[int, list[SourceName]] = {}
    dropped: dict[str, str] = {}
    for places in _walk((_Place("", cell),)):
        held = {k: value for k, value in places[-1].cell._params.items() if value is not None}
        # Cells without a Parameter below them need no rule: an ambiguous one does no harm there.
        for place in places if held else ():
            rule = rules.find(place.cell)
            if rule is not None:
                reason = f"the mapping of {rule.entry} drops it"
                dropped.update({_join(place.path, name): reason for name in rule.dropped})
        for name, value in held.items():
            # mindspore.load_param_into_net follows inited_param, too.
            parameter = value if value.inited_param is None else value.inited_param
            parameters[id(parameter)] = parameter
            sources.setdefault(id(parameter), []).append(_source(places, name, rules))
    _refuse_shared_names(sources)
    found = tuple(_describe(item, tuple(sources[key])) for key, item in parameters.items())
    _refuse_shared_keys(found)
    return NameMap(found, dropped)


def find_constant(cell: mindspore.nn.Cell, name: str) -> mindspore.Tensor | None:
    """Return the tensor that `cell` holds at the attribute path `name`, if it is no Parameter.

    Such a tensor is built by the Cell's constructor: a buffer that needs no checkpoint.
    """
    import mindspore

    *path, last = name.split(".")
    owner: Any = cell
    for part in path:
        owner = owner._cells.get(part)
        if owner is None:
            return None
    value = getattr(owner, last, None)
    held = isinstance(value, mindspore.Tensor) and not isinstance(value, mindspore.Parameter)
    return value if held else None


def read_tensor(tensor: mindspore.Tensor) -> tuple[Array, Dtype]:
    """Return the bits of a MindSpore tensor, C-contiguous, bfloat16 as uint16, and its dtype.

    Raises PorterError (PRT504) for a dtype that no MindSpore file holds.
    """
    dtype = _dtype(tensor, "a tensor")
    value: Array = tensor.asnumpy()
    return value.view(dtype.storage), dtype


def _walk(places: tuple[_Place, ...]) -> Iterator[tuple[_Place, ...]]:
    """Yield the chain of Cells from the root to each Cell, by every path that leads to it.

    Cell.cells_and_names yields a shared Cell under its first path only, and the Parameter's name
    comes from the last: neither tells the names that a torch state dict gives it.
    """
    yield places
    here = places[-1]
    for name, child in here.cell._cells.items():
        if child is not None and all(child is not place.cell for place in places):
            yield from _walk((*places, _Place(_join(here.path, name), child)))


def _source(places: tuple[_Place, ...], name: str, rules: RuleTable) -> SourceName:
    """Name a Parameter in torch by the rule of its own Cell, or by that of a Cell around it.

    A rule may name what an inner Cell owns: `linear1.weight` of a torch.nn.TransformerEncoderLayer
    is `dense1.weight` here. Such a rule was written for that place, so the outermost one decides.
    """
    full = _join(places[-1].path, name)
    for place in places:
        local = full[len(place.path) + 1 :] if place.path else full
        rule: ModuleRule | None = rules.find(place.cell)
        if rule is not None and rule.covers(local):
            torch_name = _join(place.path, rule.names.get(local, local))
            return SourceName(torch_name, rule.transforms.get(local, IDENTITY), rule.entry)
    return SourceName(full)


def _describe(parameter: Any, sources: tuple[SourceName, ...]) -> ParameterNames:
    dtype = _dtype(parameter, f"Parameter {parameter.name}")
    return ParameterNames(parameter.name, sources, tuple(parameter.shape), dtype)


def _dtype(tensor: Any, what: str) -> Dtype:
    dtype = BY_MINDSPORE.get(str(tensor.dtype))
    if dtype is None:
        raise PorterError("PRT504", f"{what} is {tensor.dtype}, which no MindSpore file holds")
    return dtype


def _refuse_shared_names(sources: dict[int, list[SourceName]]) -> None:
    seen: dict[str, SourceName] = {}
    for source in (source for group in sources.values() for source in group):
        if source.name in seen:
            rule = source.rule or seen[source.name].rule
            raise PorterError(
                "PRT901", f"two Parameters of the Cell are {source.name} in torch, by {rule}"
            )
        seen[source.name] = source


def _refuse_shared_keys(parameters: tuple[ParameterNames, ...]) -> None:
    seen: dict[str, ParameterNames] = {}
    for parameter in parameters:
        other = seen.setdefault(parameter.key, parameter)
        if other is not parameter:
            raise PorterError(
                "PRT502",
                f"two Parameters are named {parameter.key} "
                f"({other.sources[0].name} and {parameter.sources[0].name} in torch), "
                "so mindspore.load_param_into_net fills both from one tensor",
                hint="leave Parameter(name=...) out, or make the names differ",
            )


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
