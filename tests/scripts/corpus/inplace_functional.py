import torch
import torch.nn.functional as F

x = torch.tensor([-1.0, 2.0])
y = F.relu(x, inplace=True)
z = torch.tensor([-3.0, 4.0])
torch.relu_(z)
act = torch.nn.ReLU(inplace=True)
w = torch.tensor([-5.0, 6.0])
v = act(w)
