# refused: PRT102
import torch
x = torch.ones(2, requires_grad=True)
result = x.requires_grad
