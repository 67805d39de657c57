import torch
x = torch.tensor([5.0, -3.0, 2.0])
positive = []
for i, value in enumerate(x):
    if value < 0:
        continue
    positive.append(value.item())
k = 0
while x.abs().max() > 1:
    x = x / 2
    k += 1
best = None
for name, tensor in {"a": torch.tensor(1.0), "b": torch.tensor(3.0)}.items():
    if best is None or tensor > best:
        best = tensor
