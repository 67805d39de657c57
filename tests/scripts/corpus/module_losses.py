import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.tensor([[0.5, -0.5, 1.0], [1.0, 0.0, -1.0]])
t = torch.tensor([0, 2])
a = nn.CrossEntropyLoss()(x, t)
b = F.cross_entropy(x, t, reduction="sum")
c = nn.MSELoss()(x, torch.zeros(2, 3))
d = F.l1_loss(x, torch.ones(2, 3))
e = nn.BCEWithLogitsLoss()(x, (x > 0).float())
f = F.nll_loss(F.log_softmax(x, dim=1), t)
g = nn.SmoothL1Loss(reduction="none")(x, x * 2)
