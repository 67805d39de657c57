import torch
from torch.utils.data import ConcatDataset, DataLoader, Dataset, Subset, TensorDataset


class Squares(Dataset):
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return torch.tensor([float(index * index)]), index


squares = Squares(5)
length = len(squares)
batches = [batch for batch in DataLoader(squares, batch_size=2)]
whole = list(DataLoader(squares, 2, drop_last=True))
rows = TensorDataset(torch.arange(6.0).reshape(3, 2), torch.tensor([0, 1, 0]))
first = rows[0]
count = len(rows)
loader = torch.utils.data.DataLoader(dataset=rows, batch_size=2, shuffle=False, num_workers=0)
steps = len(loader)
total = 0.0
for inputs, labels in loader:
    total += inputs.sum().item() + len(labels)
some = Subset(squares, [1, 3])
chosen = [some[0], some[1]]
joined = ConcatDataset([squares, some])
last = joined[6]
order = list(torch.utils.data.SequentialSampler(rows))
sampler = torch.utils.data.BatchSampler(torch.utils.data.SequentialSampler(rows), 2, False)
groups = list(sampler)
