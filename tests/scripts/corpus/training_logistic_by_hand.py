import torch

X = torch.tensor([[0.5, 1.0], [1.5, -0.5], [-1.0, 0.3], [2.0, 1.0]])
y = torch.tensor([1.0, 0.0, 0.0, 1.0])
w = torch.zeros(2, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
lr = 0.5
for epoch in range(15):
    z = X @ w + b
    p = torch.sigmoid(z)
    loss = -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
        b -= lr * b.grad
        w.grad.zero_()
        b.grad.zero_()
print(w, b)
weights = w.detach()
