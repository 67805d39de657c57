import torch
import torch.nn.functional as F
x = torch.tensor([-1.0, 0.5, 3.0])
y = x.clone()
a = F.relu6(x * 3, inplace=True)
b = F.leaky_relu(y, 0.1, inplace=True)
torch.sigmoid_(x)
torch.exp_(y)
