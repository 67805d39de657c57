import torch


def rosenbrock(p):
    x, y = p
    return (1 - x) ** 2 + 100 * (y - x**2) ** 2


point = torch.tensor([-1.5, 2.0], requires_grad=True)
optimizer = torch.optim.Adam([point], lr=0.05)
path = []
for step in range(30):
    optimizer.zero_grad()
    value = rosenbrock(point)
    value.backward()
    optimizer.step()
    path.append(point.detach().clone())
final = path[-1]
