import torch

x = torch.tensor([0.5, 1.5, 2.5])
a = torch.lgamma(x)
b = torch.digamma(x)
c = torch.erfinv(torch.tensor([0.1, 0.5]))
d = torch.special.expit(x)
e = torch.special.erf(x)
f = torch.sinc(x)
g = torch.logit(torch.tensor([0.2, 0.6]))
h = torch.xlogy(x, x)
i = torch.special.ndtr(x)
