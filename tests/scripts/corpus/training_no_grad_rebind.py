import torch

w = torch.tensor([1.0, -1.0])
w.requires_grad = True
for _ in range(4):
    loss = ((w - 3) ** 2).sum()
    loss.backward()
    with torch.no_grad():
        w = w - 0.1 * w.grad
    w.requires_grad_(True)
end = w.detach()
