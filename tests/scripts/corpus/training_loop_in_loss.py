import torch

w = torch.tensor([0.5, -0.3], requires_grad=True)
xs = torch.sin(torch.arange(10.0)).view(5, 2)
optimizer = torch.optim.SGD([w], lr=0.1)
for epoch in range(4):
    total = 0
    for x in xs:
        total = total + (x @ w - 1.0) ** 2
    optimizer.zero_grad()
    total.backward()
    optimizer.step()
w_end = w.detach()
