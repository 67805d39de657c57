# refused: PRT105
import torch

layer = torch.nn.Linear(2, 3, dtype=torch.float64)
dtype = layer.weight.dtype
