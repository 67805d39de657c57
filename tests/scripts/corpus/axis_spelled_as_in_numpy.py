import torch
x = torch.arange(6.0).reshape(2, 3)
a = torch.sum(x, axis=1)
b = x.mean(axis=0, keepdims=True)
c = torch.cat((x, x), axis=1)
d = torch.argmax(x, axis=0)
