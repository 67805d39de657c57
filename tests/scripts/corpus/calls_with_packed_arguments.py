# refused: PRT104
import torch

x = torch.ones(2, 3)
arguments = (0, 1)
result = torch.transpose(x, *arguments)
