import torch

params = [torch.tensor([[0.1, 0.2], [0.3, -0.4]], requires_grad=True), torch.zeros(2, requires_grad=True)]
x = torch.tensor([[1.0, 2.0], [3.0, -1.0]])
for step in range(5):
    out = torch.tanh(x @ params[0] + params[1])
    loss = ((out - 0.5) ** 2).mean()
    for p in params:
        p.grad = None
    loss.backward()
    for p in params:
        p.data.add_(p.grad, alpha=-0.5)
w0, b0 = params[0].detach(), params[1].detach()
