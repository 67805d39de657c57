import torch

params = {"w": torch.tensor([0.5, -1.0], requires_grad=True), "b": torch.zeros(1, requires_grad=True)}
opt = torch.optim.Adam(params.values(), lr=0.1)
x = torch.sin(torch.arange(8.0)).view(4, 2)
for _ in range(4):
    opt.zero_grad()
    loss = ((x @ params["w"] + params["b"] - 1) ** 2).mean()
    loss.backward()
    opt.step()
w = params["w"].detach().clone()
