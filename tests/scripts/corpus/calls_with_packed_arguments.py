# refused: PRT104
import torch

x = torch.ones(2, 3)
arguments = tuple(sorted([1, 0]))
result = torch.transpose(x, *arguments)
