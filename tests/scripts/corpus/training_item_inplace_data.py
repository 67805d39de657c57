import torch

A = torch.tensor([[2.0, 0.5], [0.5, 1.0]])
b = torch.tensor([1.0, -1.0])
x = torch.zeros(2, requires_grad=True)
trace = []
for k in range(5):
    f = 0.5 * x @ A @ x - b @ x
    f.backward()
    x.data.sub_(0.2 * x.grad)
    x.grad.zero_()
    trace.append(f.item())
end = x.data
