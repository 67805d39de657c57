import torch
x = torch.tensor([1.0, -2.0, 3.0, -4.0])
x[x < 0] = 0
y = torch.zeros(2, 3)
y[:, 1] = 1
y[1, 1:] = torch.tensor([5.0, 6.0])
y[[0, 1], [0, 2]] = 9
z = torch.zeros(3)
z[torch.tensor([0, 2])] = torch.tensor([1.0, 2.0])
y[0] += 1
