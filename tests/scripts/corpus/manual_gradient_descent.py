import torch
x = torch.tensor([1.0, 2.0, 3.0])
y = 2 * x + 1
w, b = torch.zeros(1), torch.zeros(1)
for _ in range(5):
    error = w * x + b - y
    w = w - 0.05 * (2 * error * x).mean()
    b = b - 0.05 * (2 * error).mean()
