import torch

w = torch.tensor([1.0, -1.0], requires_grad=True)
for _ in range(4):
    loss = ((w - 3) ** 2).sum()
    loss.backward()
    w = (w - 0.1 * w.grad).detach().requires_grad_()
end = w.detach()
