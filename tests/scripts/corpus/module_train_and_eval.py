import torch
import torch.nn as nn
norm = nn.BatchNorm1d(2, momentum=0.5)
x = torch.tensor([[1.0, 2.0], [3.0, 8.0]])
norm.train()
a = norm(x)
b = norm(x)
norm.train(False)
c = norm(x)
mean = norm.running_mean
var = norm.running_var
