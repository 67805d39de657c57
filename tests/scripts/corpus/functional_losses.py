import torch
import torch.nn.functional as F

x = torch.tensor([[0.2, 0.8], [0.6, 0.4]])
y = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
a = F.mse_loss(x, y)
b = F.binary_cross_entropy(x, y)
c = F.binary_cross_entropy_with_logits(input=x, target=y, reduction="none")
d = F.kl_div(x.log(), y, reduction="batchmean")
e = F.smooth_l1_loss(x, y, beta=0.5)
f = F.huber_loss(x, y)
g = F.cross_entropy(x, torch.tensor([1, 0]), label_smoothing=0.1)
h = F.cosine_embedding_loss(x, y, torch.tensor([1, -1]))
i = F.hinge_embedding_loss(x, torch.tensor([1.0, -1.0]))
j = F.margin_ranking_loss(x[0], x[1], torch.tensor([1.0, -1.0]))
k = F.nll_loss(x.log(), torch.tensor([1, 0]), reduction="sum")
