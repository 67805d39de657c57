import torch

x = torch.tensor(4.0, requires_grad=True)
loss = torch.tensor(float("inf"))
steps = 0
while loss > 0.01 and steps < 50:
    loss = (x - 1) ** 2
    loss.backward()
    with torch.no_grad():
        x -= 0.1 * x.grad
    x.grad.zero_()
    steps += 1
end = x.item()
