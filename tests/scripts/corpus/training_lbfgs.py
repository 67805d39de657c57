# refused: PRT102
import torch

x = torch.tensor([3.0], requires_grad=True)
optimizer = torch.optim.LBFGS([x], lr=0.1)


def closure():
    optimizer.zero_grad()
    loss = (x - 1) ** 2
    loss.backward()
    return loss


for _ in range(5):
    optimizer.step(closure)
result = x.detach()
