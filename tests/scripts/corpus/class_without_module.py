import torch


class Counter:
    def __init__(self, size):
        self.total = torch.zeros(size)

    def add(self, x):
        self.total = self.total + x
        return self


counter = Counter(2)
counter.add(torch.ones(2)).add(torch.tensor([1.0, 2.0]))
result = counter.total
