import torch
rows, columns = 2, 3
a = torch.zeros(rows, columns)
b = torch.ones((rows, columns))
c = torch.full((rows,), rows / columns)
d = torch.arange(rows * columns).view(rows, columns)
e = torch.eye(rows + 1)
data = [[1, 2], [3, 4]]
f = torch.tensor(data)
g = torch.tensor(data, dtype=torch.float32)
h = torch.tensor([rows, columns])
i = torch.tensor([float(rows), 0.5])
j = torch.tensor(rows)
