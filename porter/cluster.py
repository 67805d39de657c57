"""Give independent tasks to a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from porter.types import PorterError

Item = TypeVar("Item")


def on_ray(function: Callable[[Item], Any], items: Sequence[Item]) -> Iterator[tuple[Item, Any]]:
    """Yield each item with what `function` returns for it, as they are done.

    The cluster is the one that RAY_ADDRESS names, or one of this machine. An error of porter's
    should come back as data, since Ray wraps what is raised. Raises PorterError PRT703 where Ray is
    not installed.
    """
    try:
        import ray
    except ImportError as error:
        raise PorterError(
            "PRT703", "ray is not installed", hint='pip install "porter-mindspore[ray]"'
        ) from error
    if not ray.is_initialized():
        ray.init(log_to_driver=False)
    remote = ray.remote(function)
    waiting: dict[Any, Item] = {remote.remote(item): item for item in items}
    try:
        while waiting:
            done, _ = ray.wait(list(waiting))
            for reference in done:
                item = waiting.pop(reference)
                yield item, ray.get(reference)
    finally:
        for reference in waiting:
            ray.cancel(reference)
