# refused: PRT214
import torch

w = torch.tensor([0.5, -0.5], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
xs = torch.tensor([[1.0, 2.0], [3.0, -1.0]])
for _ in range(3):
    inner = (xs[0] @ w - 1) ** 2
    (g,) = torch.autograd.grad(inner, w, create_graph=True)
    fast = w - 0.05 * g
    outer = (xs[1] @ fast + 1) ** 2
    opt.zero_grad()
    outer.backward()
    opt.step()
end = w.detach()
