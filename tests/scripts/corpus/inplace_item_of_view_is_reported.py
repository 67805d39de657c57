# refused: PRT203
import torch

x = torch.arange(4.0)
row = x[1:]
row[0] = 10
result = x
