import torch

w = torch.tensor([1.0, -2.0], requires_grad=True)
target = torch.tensor([0.5, 0.5])
for i in range(5):
    loss = ((w - target) ** 2).sum()
    loss.backward()
    w.data -= 0.1 * w.grad.data
    w.grad.data.zero_()
end = w.data
