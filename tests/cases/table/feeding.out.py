"""Datasets, samplers and loaders are those of the runtime."""

import mindspore as ms

from .runtime.data import (
    BatchSampler,
    ConcatDataset,
    DataLoader,
    Dataset,
    IterableDataset,
    RandomSampler,
    SequentialSampler,
    Subset,
    TensorDataset,
    default_collate,
)


class Squares(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return ms.tensor(float(index * index))


class Counted(IterableDataset):
    def __iter__(self):
        return iter(range(3))


def loaders(inputs: ms.Tensor, labels: ms.Tensor):
    rows = TensorDataset(inputs, labels)
    both = ConcatDataset([Squares(), Subset(Squares(), [1, 3])])
    batches = BatchSampler(SequentialSampler(both), batch_size=2, drop_last=False)
    order = RandomSampler(rows)
    return (
        DataLoader(rows, batch_size=2, shuffle=True),
        DataLoader(both, batch_sampler=batches),
        DataLoader(rows, sampler=order, collate_fn=default_collate),
        DataLoader(Counted()),
    )
