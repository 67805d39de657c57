import torch
import torch.nn.functional as F
x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
y = torch.tensor([[1.0, 0.0], [0.0, 4.0]])
a = torch.cdist(x, y)
b = torch.dist(x, y)
c = F.cosine_similarity(x, y)
d = F.pairwise_distance(x, y)
e = torch.norm(x - y, p=1)
f = torch.cdist(x, y, p=1)
