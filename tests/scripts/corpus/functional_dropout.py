import torch
import torch.nn.functional as F
x = torch.ones(3, 3)
a = F.dropout(x, p=0.5, training=False)
b = F.dropout(x, 0.0)
