"""Give the bytes of the tensors to write, a few at a time, within a budget of memory."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from porter.weights.dtypes import Array, CastReport, cast, measure_cast
from porter.weights.formats import OutputTensor
from porter.weights.location import CHUNK
from porter.weights.tensor import Checkpoint
from porter.weights.values import Value


class Budget:
    """Let threads hold whole tensors while their bytes, together, stay below a limit.

    A tensor above the limit is let in alone.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held = 0
        self._changed = threading.Condition()

    @contextmanager
    def hold(self, size: int) -> Iterator[None]:
        """Wait until `size` more bytes may be in memory."""
        with self._changed:
            self._changed.wait_for(lambda: not self._held or self._held + size <= self._limit)
            self._held += size
        try:
            yield
        finally:
            with self._changed:
                self._held -= size
                self._changed.notify_all()


class Producer:
    """Read, rearrange and cast tensors of one checkpoint; several threads may share it."""

    def __init__(self, checkpoint: Checkpoint, budget: Budget) -> None:
        self.checkpoint = checkpoint
        self.budget = budget
        self.casts: dict[str, CastReport] = {}
        """What was lost, by the name of the tensor written, where its dtype changed."""

    def stream(self, tensor: OutputTensor, measure: bool = False) -> Iterator[memoryview]:
        """Yield the bytes of a tensor; each view is gone with the next.

        With `measure` a cast is compared with what it was made of. Raises PRT507.
        """
        source, target = tensor.value.dtype, tensor.dtype
        if source == target:
            yield from self.bytes_of(tensor.value)
            return
        report = CastReport(0, 0, 0, 0.0)
        for view in self.bytes_of(tensor.value):
            before = np.frombuffer(view, source.storage)
            after = cast(before, source, target)
            if measure:
                report += measure_cast(before, source, after, target)
            yield as_bytes(after)
        if measure:
            self.casts[tensor.name] = report

    def bytes_of(self, value: Value) -> Iterator[memoryview]:
        """Yield the bytes of a value as it is; each view is gone with the next. Raises PRT507."""
        spans = value.spans
        if spans is not None:
            for name, begin, end in spans:
                yield from self.checkpoint.stream(name, begin, end)
            return
        # A value that is moved about is in memory twice while that happens.
        with self.budget.hold(2 * value.size):
            whole = as_bytes(value.read(self.checkpoint))
            for begin in range(0, len(whole), CHUNK):
                yield whole[begin : begin + CHUNK]


def as_bytes(value: Array) -> memoryview:
    """Return the bytes of an array without a copy; reshape, since rank 0 and size 0 cannot cast."""
    if not value.size:
        return memoryview(b"")
    return np.ascontiguousarray(value).reshape(-1).view(np.uint8).data


def same_values(first: Value, second: Value, checkpoint: Checkpoint) -> bool:
    """Tell whether two values have the same shape, dtype and bits; NaN payloads and -0.0 count."""
    if (first.shape, first.dtype) != (second.shape, second.dtype):
        return False
    producer = Producer(checkpoint, Budget(2 * (first.size + second.size)))
    return all(same for _, same in compare(producer.bytes_of(first), producer.bytes_of(second)))


def compare(
    first: Iterator[memoryview], second: Iterator[memoryview]
) -> Iterator[tuple[int, bool]]:
    """Yield for each piece of two streams its size, and whether both have the same bytes there.

    Where one stream ends before the other, the last piece differs.
    """
    nothing = one = two = memoryview(b"")
    while True:
        one = one if len(one) else next((view for view in first if len(view)), nothing)
        two = two if len(two) else next((view for view in second if len(view)), nothing)
        size = min(len(one), len(two))
        if not size:
            if len(one) or len(two):
                yield max(len(one), len(two)), False
            return
        yield size, same_bytes(one[:size], two[:size])
        one, two = one[size:], two[size:]


def same_bytes(first: memoryview, second: memoryview) -> bool:
    """Compare bytes; views as wide numbers compare at the speed of memory."""
    whole = len(first) & ~7
    one, two = np.frombuffer(first, np.uint8), np.frombuffer(second, np.uint8)
    return (
        len(first) == len(second)
        and np.array_equal(one[:whole].view(np.uint64), two[:whole].view(np.uint64))
        and np.array_equal(one[whole:], two[whole:])
    )


def largest(tensors: Sequence[OutputTensor]) -> int:
    """Return the bytes of the largest tensor; a cast is done piece by piece, and does not count."""
    return max((item.value.size for item in tensors), default=0)
