# refused: PRT203
import torch

x = torch.arange(4.0)
v = x.view(2, 2)
v.add_(1)
result = x
