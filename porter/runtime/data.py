"""Feed data as torch.utils.data does: datasets, samplers, and a loader in the same process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops


class Dataset:
    """Hold samples by their number."""

    def __getitem__(self, index: int) -> Any:
        raise NotImplementedError

    def __class_getitem__(cls, item: Any) -> type[Dataset]:
        """Return the class itself: `Dataset[Tensor]` is for annotations."""
        return cls


class IterableDataset(Dataset):
    """Give samples one after the other."""

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError


class TensorDataset(Dataset):
    """Hold the rows of tensors that are as long as each other."""

    def __init__(self, *tensors: Tensor) -> None:
        if any(tensor.shape[0] != tensors[0].shape[0] for tensor in tensors):
            raise ValueError("the tensors of a TensorDataset are of the same length")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return int(self.tensors[0].shape[0])


class Subset(Dataset):
    """Hold some samples of another dataset."""

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, index: int) -> Any:
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


class ConcatDataset(Dataset):
    """Hold the samples of several datasets, one dataset after the other."""

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        self.cumulative_sizes = np.cumsum([len(item) for item in self.datasets]).tolist()

    def __getitem__(self, index: int) -> Any:
        index = index + len(self) if index < 0 else index
        place = int(np.searchsorted(self.cumulative_sizes, index, side="right"))
        before = self.cumulative_sizes[place - 1] if place else 0
        return self.datasets[place][index - before]

    def __len__(self) -> int:
        return int(self.cumulative_sizes[-1])


class SequentialSampler:
    """Give the numbers of the samples in order."""

    def __init__(self, data_source: Any) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(SequentialSampler):
    """Give the numbers of the samples in an order drawn by NumPy."""

    def __iter__(self) -> Iterator[int]:
        return iter(np.random.permutation(len(self.data_source)).tolist())


class BatchSampler:
    """Gather the numbers of another sampler into lists."""

    def __init__(self, sampler: Any, batch_size: int, drop_last: bool) -> None:
        self.sampler = sampler
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        batch: list[int] = []
        for index in self.sampler:
            batch.append(index)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __len__(self) -> int:
        whole, rest = divmod(len(self.sampler), self.batch_size)
        return whole + (rest > 0 and not self.drop_last)


def default_collate(batch: Sequence[Any]) -> Any:
    """Return samples as one: tensors are stacked, numbers become a tensor, containers are kept."""
    first = batch[0]
    if isinstance(first, Tensor):
        return ops.stack(list(batch))
    if isinstance(first, np.ndarray | np.generic):
        return ms.tensor(np.stack(batch))
    if isinstance(first, float):
        return ms.tensor(batch, dtype=ms.float64)
    if isinstance(first, bool | int):
        return ms.tensor(batch)
    if isinstance(first, Mapping):
        return {key: default_collate([item[key] for item in batch]) for key in first}
    if isinstance(first, list | tuple):
        return [default_collate(list(parts)) for parts in zip(*batch, strict=True)]
    return list(batch)


class DataLoader:
    """Give the samples of a dataset in batches, loaded in this process.

    Raises ValueError for a sampler beside `shuffle`.
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        batch_sampler: Any = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        *_: Any,
        **settings: Any,
    ) -> None:
        if sampler is not None and shuffle:
            raise ValueError("a sampler says the order: shuffle has no meaning beside it")
        self.dataset = dataset
        self.batch_size = batch_size
        self.num_workers = num_workers
        self.pin_memory = pin_memory
        self.drop_last = drop_last
        self.settings = settings
        self.iterable = isinstance(dataset, IterableDataset)
        if sampler is None and not self.iterable:
            sampler = RandomSampler(dataset) if shuffle else SequentialSampler(dataset)
        if batch_sampler is None and batch_size is not None and not self.iterable:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        batched = batch_sampler is not None or batch_size is not None
        self.collate_fn = collate_fn or (default_collate if batched else _same)

    def __iter__(self) -> Iterator[Any]:
        if self.iterable and self.batch_size is not None:
            for batch in BatchSampler(self.dataset, self.batch_size, self.drop_last):
                yield self.collate_fn(batch)
        elif self.iterable:
            yield from map(self.collate_fn, self.dataset)
        elif self.batch_sampler is None:
            for index in self.sampler:
                yield self.collate_fn(self.dataset[index])
        else:
            for indices in self.batch_sampler:
                yield self.collate_fn([self.dataset[index] for index in indices])

    def __len__(self) -> int:
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)


def _same(sample: Any) -> Any:
    return sample
