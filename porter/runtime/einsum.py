"""Compute Einstein sums by transposing, multiplying and summing."""

from __future__ import annotations

from mindspore import Tensor, ops
from mindspore.ops import constexpr


@constexpr  # type: ignore[untyped-decorator]
def _labels(equation: str, ranks: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the labels of each operand and of the result as numbers; dots are negative ones.

    Raises ValueError for an equation that does not fit the operands.
    """
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(ranks):
        raise ValueError(f"{equation!r} has {len(terms)} terms for {len(ranks)} operands")
    dots = max(rank - len(term.replace("...", "")) for rank, term in zip(ranks, terms, strict=True))
    if not arrow:
        names = sorted(set(left) - set(".,"))
        right = "..." * ("..." in left) + "".join(n for n in names if left.count(n) == 1)
    numbered = []
    for term, rank in zip((*terms, right), (*ranks, -1), strict=True):
        before, ellipsis, after = term.partition("...")
        width = dots if rank < 0 else rank - len(before) - len(after)
        if (not ellipsis and rank >= 0 and width != 0) or width < 0:
            raise ValueError(f"the term {term!r} of {equation!r} has {rank} axes")
        middle = range(-width, 0) if ellipsis else ()
        numbered.append((*map(ord, before), *middle, *map(ord, after)))
    if len(set(numbered[-1])) != len(numbered[-1]):
        raise ValueError(f"{equation!r} repeats a label of the result")
    if set(numbered[-1]) - set().union(*numbered[:-1]):
        raise ValueError(f"{equation!r} has a label on the right only")
    return tuple(numbered)


@constexpr  # type: ignore[untyped-decorator]
def _pair_plan(
    first: tuple[int, ...], second: tuple[int, ...], kept: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    """Return the labels of two operands by their part in a matrix product."""
    batch = tuple(n for n in first if n in second and n in kept)
    summed = tuple(n for n in first if n in second and n not in kept)
    rows = tuple(n for n in first if n not in second)
    columns = tuple(n for n in second if n not in first)
    return batch, rows, summed, columns


@constexpr  # type: ignore[untyped-decorator]
def _order(labels: tuple[int, ...], wanted: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(labels.index(number) for number in wanted)


@constexpr  # type: ignore[untyped-decorator]
def _dropped(labels: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(axis for axis, number in enumerate(labels) if number not in others)


@constexpr  # type: ignore[untyped-decorator]
def _without(labels: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(number for number in labels if number in others)


def einsum(equation: str, *operands: Tensor) -> Tensor:
    """Return the sum of products that an equation such as "bij,bjk->bik" describes.

    A label that a term has twice takes the diagonal. The operands may be one sequence. Raises
    ValueError for what does not fit.
    """
    if isinstance(operands[0], (tuple, list)):
        operands = tuple(operands[0])
    ranks: tuple[int, ...] = ()
    for operand in operands:
        ranks = (*ranks, operand.ndim)
    labels = _labels(equation, ranks)
    output = labels[-1]
    result, current = _diagonal(operands[0], labels[0])
    for position in range(1, len(operands)):
        later = output
        for other in labels[position + 1 : -1]:
            later = (*later, *other)
        operand, own = _diagonal(operands[position], labels[position])
        result, current = _multiply(result, current, operand, own, later)
    axes = _dropped(current, output)
    if len(axes) > 0:
        result = ops.sum(result, axes)
        current = _without(current, output)
    return ops.transpose(result, _order(current, output)) if len(output) > 1 else result


@constexpr  # type: ignore[untyped-decorator]
def _repeated(labels: tuple[int, ...]) -> tuple[int, int]:
    """Return the first two axes that have one label, (-1, -1) where there are none."""
    for later, number in enumerate(labels):
        if number in labels[:later]:
            return labels.index(number), later
    return -1, -1


@constexpr  # type: ignore[untyped-decorator]
def _moved(labels: tuple[int, ...], first: int, later: int) -> tuple[int, ...]:
    """Return the labels when the diagonal of two axes has become the last one."""
    rest = tuple(n for axis, n in enumerate(labels) if axis not in (first, later))
    return (*rest, labels[first])


def _diagonal(tensor: Tensor, labels: tuple[int, ...]) -> tuple[Tensor, tuple[int, ...]]:
    """Return the diagonals of axes that have one label, and the labels that are left."""
    first, later = _repeated(labels)
    while first >= 0:
        tensor = ops.diagonal(tensor, 0, first, later)
        labels = _moved(labels, first, later)
        first, later = _repeated(labels)
    return tensor, labels


def _multiply(
    first: Tensor,
    first_labels: tuple[int, ...],
    second: Tensor,
    second_labels: tuple[int, ...],
    kept: tuple[int, ...],
) -> tuple[Tensor, tuple[int, ...]]:
    """Return the product of two operands summed over what neither the result nor others need."""
    batch, rows, summed, columns = _pair_plan(first_labels, second_labels, kept)
    left = _permuted(first, _order(first_labels, (*batch, *rows, *summed)))
    right = _permuted(second, _order(second_labels, (*batch, *summed, *columns)))
    shared = len(batch)
    between = shared + len(rows)
    inner = left.shape[between:]
    row_shape = left.shape[shared:between]
    column_shape = right.shape[shared + len(summed) :]
    left = ops.reshape(left, (*left.shape[:shared], _size(row_shape), _size(inner)))
    right = ops.reshape(right, (*right.shape[:shared], _size(inner), _size(column_shape)))
    result = ops.matmul(left, right)
    shape = (*result.shape[:shared], *row_shape, *column_shape)
    return ops.reshape(result, shape), (*batch, *rows, *columns)


def _permuted(tensor: Tensor, order: tuple[int, ...]) -> Tensor:
    return ops.transpose(tensor, order) if len(order) > 1 else tensor


def _size(shape: tuple[int, ...]) -> int:
    result = 1
    for length in shape:
        result = result * length
    return result
