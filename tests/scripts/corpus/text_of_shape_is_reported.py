# refused: PRT211
import torch

x = torch.ones(2, 3)
key = str(x.shape)
