import torch
n = torch.tensor(3)
a = range(n.item())[1]
b = [0, 1, 2, 3][int(n)]
c = torch.zeros(int(n))
d = 2 ** n.item()
e = float(n) / 2
f = n + 0.5
g = round(torch.tensor(2.6).item())
