import torch

R = torch.tensor([[5.0, 3.0, 1.0], [4.0, 0.0, 1.0], [1.0, 1.0, 5.0]])
mask = R > 0
U = torch.linspace(0.1, 0.6, 6).view(3, 2)
V = torch.linspace(0.6, 0.1, 6).view(3, 2)
U.requires_grad_(True)
V.requires_grad_(True)
optim = torch.optim.Adagrad([U, V], lr=0.1)
for it in range(5):
    pred = U @ V.t()
    loss = ((pred - R)[mask] ** 2).sum() + 0.01 * (U.norm() + V.norm())
    optim.zero_grad()
    loss.backward()
    optim.step()
final = loss.item()
