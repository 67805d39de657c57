import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x ** 2
rows = []
for i in range(3):
    x.grad = None
    y[i].backward(retain_graph=True)
    rows.append(x.grad.clone())
J = torch.stack(rows)
