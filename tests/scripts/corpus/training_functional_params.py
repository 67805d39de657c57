import torch
import torch.nn.functional as F

W1 = torch.linspace(-0.5, 0.5, 12).view(4, 3).requires_grad_()
b1 = torch.zeros(4, requires_grad=True)
W2 = torch.linspace(0.3, -0.3, 8).view(2, 4).requires_grad_()
params = [W1, b1, W2]
opt = torch.optim.SGD(params, lr=0.2, momentum=0.5)


def net(x):
    return F.linear(torch.relu(F.linear(x, W1, b1)), W2)


x = torch.sin(torch.arange(12.0)).view(4, 3)
y = torch.tensor([0, 1, 1, 0])
for _ in range(4):
    loss = F.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
end = [p.detach() for p in params]
