"""Map every Parameter of a Cell to its names in a torch state dict, along the tree of Cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from porter.mapping.load import Mapping
from porter.types import PorterError
from porter.weights.dtypes import BY_MINDSPORE, Array, Dtype
from porter.weights.rules import Made, ModuleRule, RuleTable
from porter.weights.transforms import IDENTITY, Transform
from porter.weights.values import Joined, Part, Taken, Transformed, Value

if TYPE_CHECKING:
    import mindspore


@dataclass(frozen=True, slots=True)
class SourceName:
    """What a Parameter is in torch, and how that becomes its value.

    It is one tensor, a `part` of one, or several that are joined at `axis`; then it is transformed.
    `rule` is the mapping entry that says so, or None where the names are alike.
    """

    names: tuple[str, ...]
    transform: Transform = IDENTITY
    rule: str | None = None
    axis: int = 0
    part: Part | None = None

    @property
    def name(self) -> str:
        """Return the name in torch, or all of them for a message."""
        text = " and ".join(self.names)
        return f"{self.part} of {text}" if self.part else text

    def value(self, held: AbstractMapping[str, Value]) -> Value:
        """Return the Parameter's value, made of what `held` has under the names in torch."""
        inner = tuple(held[name] for name in self.names)
        value = inner[0] if len(inner) == 1 else Joined(inner, self.axis, sizes=(1,) * len(inner))
        if self.part is not None:
            value = Taken(value, self.part)
        return value if self.transform == IDENTITY else Transformed(value, self.transform)


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
    """All Parameters of a Cell, and the torch names that it does not need, with the reason.

    `constants` are the tensors of the Cell that are no Parameters, of those that were asked for.
    """

    parameters: tuple[ParameterNames, ...]
    dropped: AbstractMapping[str, str]
    constants: AbstractMapping[str, tuple[Array, Dtype]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Place:
    """A Cell on the way from the root to a Parameter, with its attribute path."""

    path: str
    cell: Any


def map_names(cell: mindspore.nn.Cell, mapping: Mapping, wanted: Iterable[str] = ()) -> NameMap:
    """Return the total name map of `cell`, and its constants among the torch names `wanted`.

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
    tensors = {name: find_constant(cell, name) for name in wanted}
    constants = {name: read_tensor(item) for name, item in tensors.items() if item is not None}
    return NameMap(found, dropped, constants)


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
            made = rule.made.get(local) or Made((rule.names.get(local, local),))
            names_in_torch = tuple(_join(place.path, item) for item in made.names)
            transform = rule.transforms.get(local, IDENTITY)
            return SourceName(names_in_torch, transform, rule.entry, made.axis, made.part)
    return SourceName((full,))


def _describe(parameter: Any, sources: tuple[SourceName, ...]) -> ParameterNames:
    dtype = _dtype(parameter, f"Parameter {parameter.name}")
    return ParameterNames(parameter.name, sources, tuple(parameter.shape), dtype)


def _dtype(tensor: Any, what: str) -> Dtype:
    dtype = BY_MINDSPORE.get(str(tensor.dtype))
    if dtype is None:
        raise PorterError("PRT504", f"{what} is {tensor.dtype}, which no MindSpore file holds")
    return dtype


def _refuse_shared_names(sources: dict[int, list[SourceName]]) -> None:
    seen: dict[tuple[str, Part | None], SourceName] = {}
    for source in (source for group in sources.values() for source in group):
        for name in source.names:
            other = seen.setdefault((name, source.part), source)
            if other is not source:
                rule = source.rule or other.rule
                raise PorterError(
                    "PRT901", f"two Parameters of the Cell are {source.name} in torch, by {rule}"
                )


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
