"""Rearrange, repeat and reduce tensors by the patterns of einops."""

# mypy: allow-subclassing-any

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindspore import Tensor, nn, ops
from mindspore.ops import constexpr

from . import einsum as sums


def _terms(side: str) -> list[list[str]]:
    """Split one side of a pattern into axes, each a list of names; an axis of length 1 has none.

    Dots that stand for axes of their own stay dots, those within brackets become one character.
    """
    terms: list[list[str]] = []
    group: list[str] | None = None
    spaced = side.replace("...", " … ").replace("(", " ( ").replace(")", " ) ")
    for word in spaced.split():
        if word == "(":
            if group is not None:
                raise ValueError(f"brackets within brackets in {side!r}")
            group = []
        elif word == ")":
            if group is None:
                raise ValueError(f"a bracket too many in {side!r}")
            terms.append(group)
            group = None
        elif group is not None:
            group += [] if word == "1" else [word]
        else:
            terms.append([] if word == "1" else ["..." if word == "…" else word])
    if group is not None:
        raise ValueError(f"a bracket is not closed in {side!r}")
    return terms


def _spread(terms: list[list[str]], dots: list[str]) -> list[list[str]]:
    """Write the axes that an ellipsis stands for: one each outside of brackets."""
    result: list[list[str]] = []
    for term in terms:
        if term == ["..."]:
            result += [[name] for name in dots]
        else:
            result.append([n for name in term for n in (dots if name == "…" else [name])])
    return result


@constexpr  # type: ignore[untyped-decorator]
def _plan(
    pattern: str, names: tuple[str, ...], rank: int, kind: str
) -> tuple[tuple[Any, ...], tuple[Any, ...], tuple[int, ...]]:
    """Return the axes on the left and on the right as groups of numbers, and given lengths.

    An elementary axis is numbered from the left to the right, new ones after them. The third part
    says for each where its length is given: its place in `names`, or -1 and, for a number that is
    written in the pattern, -2 less that number. Raises ValueError for what einops refuses.
    """
    left_text, arrow, right_text = pattern.partition("->")
    if not arrow:
        raise ValueError(f"the pattern {pattern!r} has no arrow")
    left, right = _terms(left_text), _terms(right_text)
    width = rank - (len(left) - sum(term == ["..."] for term in left))
    if width < 0 or (width and ["..."] not in left):
        raise ValueError(f"the pattern {pattern!r} does not fit a tensor with {rank} axes")
    dots = [f"…{position}" for position in range(width)]
    left, right = _spread(left, dots), _spread(right, dots)
    # A number is an axis of its own at each place.
    for side, terms in (("l", left), ("r", right)):
        for number, term in enumerate(terms):
            terms[number] = [
                f"{name} {side}{number}.{place}" if name.isdigit() else name
                for place, name in enumerate(term)
            ]
    first = [name for term in left for name in term]
    second = [name for term in right for name in term]
    for found in (first, second):
        if len(set(found)) != len(found):
            raise ValueError(f"a name stands twice on one side of {pattern!r}")
    new = [name for name in second if name not in first]
    gone = [name for name in first if name not in second]
    if (new and kind != "repeat") or (gone and kind != "reduce"):
        raise ValueError(f"{kind} cannot add or drop axes as {pattern!r} does")
    every = first + new
    unknown = [name for name in names if name not in every]
    if unknown:
        raise ValueError(f"the pattern {pattern!r} has no axis {unknown[0]!r}")
    lengths = []
    for name in every:
        if name[0].isdigit():
            lengths.append(-2 - int(name.split()[0]))
        else:
            lengths.append(names.index(name) if name in names else -1)
    if any(lengths[every.index(name)] == -1 for name in new):
        raise ValueError(f"a new axis of {pattern!r} has no length")
    for term in left:
        if sum(lengths[every.index(name)] == -1 for name in term) > 1:
            raise ValueError(f"an axis of {pattern!r} has two parts without a length")
    return (
        tuple(tuple(every.index(name) for name in term) for term in left),
        tuple(tuple(every.index(name) for name in term) for term in right),
        tuple(lengths),
    )


def _sizes(
    shape: tuple[int, ...], left: tuple[Any, ...], given: tuple[int, ...], values: tuple[int, ...]
) -> tuple[int, ...]:
    """Return the length of each elementary axis, new ones included."""
    sizes: tuple[int, ...] = ()
    for axis in range(len(left)):
        known = 1
        for number in left[axis]:
            known = known * _given(given[number], values, 1)
        rest = shape[axis] // known
        whole = known
        for number in left[axis]:
            size = _given(given[number], values, rest)
            whole = known * rest if given[number] == -1 else whole
            sizes = (*sizes, size)
        if whole != shape[axis]:
            raise ValueError("a length that is given does not fit the tensor")
    for number in range(len(sizes), len(given)):
        sizes = (*sizes, _given(given[number], values, 1))
    return sizes


def _given(code: int, values: tuple[int, ...], otherwise: int) -> int:
    if code == -1:
        return otherwise
    return values[code] if code >= 0 else -2 - code


def _whole(sizes: tuple[int, ...], groups: tuple[Any, ...]) -> tuple[int, ...]:
    """Return the shape of groups of elementary axes."""
    shape: tuple[int, ...] = ()
    for group in groups:
        length = 1
        for number in group:
            length = length * sizes[number]
        shape = (*shape, length)
    return shape


def _stacked(tensor: Any) -> Tensor:
    return ops.stack(tuple(tensor)) if isinstance(tensor, (list, tuple)) else tensor


def _flat(groups: tuple[Any, ...]) -> tuple[int, ...]:
    numbers: tuple[int, ...] = ()
    for group in groups:
        numbers = (*numbers, *group)
    return numbers


def rearrange(tensor: Tensor | Sequence[Tensor], pattern: str, **axes_lengths: int) -> Tensor:
    """Return a tensor whose axes are split, joined and moved; several tensors are stacked first."""
    value = _stacked(tensor)
    left, right, given = _plan(pattern, tuple(axes_lengths.keys()), value.ndim, "rearrange")
    sizes = _sizes(value.shape, left, given, tuple(axes_lengths.values()))
    order = _flat(right)
    if len(order) > 1:
        value = ops.transpose(ops.reshape(value, sizes), order)
    return ops.reshape(value, _whole(sizes, right))


def repeat(tensor: Tensor | Sequence[Tensor], pattern: str, **axes_lengths: int) -> Tensor:
    """Return a tensor that is repeated along the new axes of a pattern."""
    value = _stacked(tensor)
    left, right, given = _plan(pattern, tuple(axes_lengths.keys()), value.ndim, "repeat")
    sizes = _sizes(value.shape, left, given, tuple(axes_lengths.values()))
    old = len(_flat(left))
    ones = (1,) * (len(sizes) - old)
    value = ops.broadcast_to(ops.reshape(value, (*sizes[:old], *ones)), sizes)
    order = _flat(right)
    if len(order) > 1:
        value = ops.transpose(value, order)
    return ops.reshape(value, _whole(sizes, right))


def reduce(
    tensor: Tensor | Sequence[Tensor], pattern: str, reduction: str, **axes_lengths: int
) -> Tensor:
    """Return a tensor with the axes reduced that the right side of a pattern leaves out.

    `reduction` is min, max, sum, mean, prod, any or all.
    """
    value = _stacked(tensor)
    left, right, given = _plan(pattern, tuple(axes_lengths.keys()), value.ndim, "reduce")
    sizes = _sizes(value.shape, left, given, tuple(axes_lengths.values()))
    value = ops.reshape(value, sizes)
    order = _flat(right)
    gone = _without(tuple(range(len(sizes))), order)
    if len(gone) > 0:
        value = _reduced(value, gone, reduction)
    places = _ranks(order)
    if len(places) > 1:
        value = ops.transpose(value, places)
    return ops.reshape(value, _whole(sizes, right))


@constexpr  # type: ignore[untyped-decorator]
def _without(numbers: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(number for number in numbers if number not in others)


@constexpr  # type: ignore[untyped-decorator]
def _ranks(order: tuple[int, ...]) -> tuple[int, ...]:
    """Return where the axes that are left stand once the others are gone."""
    return tuple(sorted(order).index(number) for number in order)


def _reduced(value: Tensor, axes: tuple[int, ...], reduction: str) -> Tensor:
    if reduction == "sum":
        return ops.sum(value, axes)
    if reduction == "mean":
        return ops.mean(value, axes)
    if reduction == "max":
        return ops.amax(value, axes)
    if reduction == "min":
        return ops.amin(value, axes)
    if reduction == "any":
        return ops.any(value, axes)
    if reduction == "all":
        return ops.all(value, axes)
    if reduction != "prod":
        raise ValueError(f"reduction is min, max, sum, mean, prod, any or all, not {reduction!r}")
    result = value
    for position in range(len(axes)):
        result = ops.prod(result, axes[len(axes) - 1 - position])
    return result


@constexpr  # type: ignore[untyped-decorator]
def _letters(pattern: str) -> str:
    """Return the equation of a pattern, whose axes have names of any length."""
    names: list[str] = []
    left, arrow, right = pattern.partition("->")
    if not arrow:
        raise ValueError(f"the pattern {pattern!r} has no arrow")
    words = [term.replace("...", " ... ").split() for term in (*left.split(","), right)]
    for word in [word for term in words for word in term if word != "..."]:
        if word not in names:
            names.append(word)
    letters = [
        "".join("..." if word == "..." else chr(ord("A") + names.index(word)) for word in term)
        for term in words
    ]
    return f"{','.join(letters[:-1])}->{letters[-1]}"


def einsum(*tensors_and_pattern: Any) -> Tensor:
    """Return the sum of products that a pattern with named axes, the last argument, describes."""
    return sums.einsum(_letters(tensors_and_pattern[-1]), *tensors_and_pattern[:-1])


class Rearrange(nn.Cell):
    """Rearrange by a pattern."""

    def __init__(self, pattern: str, **axes_lengths: int) -> None:
        super().__init__()
        self.pattern = pattern
        self.axes_lengths = axes_lengths

    def construct(self, tensor: Tensor) -> Tensor:
        return rearrange(tensor, self.pattern, **self.axes_lengths)


class Reduce(nn.Cell):
    """Reduce by a pattern."""

    def __init__(self, pattern: str, reduction: str, **axes_lengths: int) -> None:
        super().__init__()
        self.pattern = pattern
        self.reduction = reduction
        self.axes_lengths = axes_lengths

    def construct(self, tensor: Tensor) -> Tensor:
        return reduce(tensor, self.pattern, self.reduction, **self.axes_lengths)
