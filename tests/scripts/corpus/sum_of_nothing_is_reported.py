# refused: PRT105
import torch

nothing = torch.tensor([])
total = nothing.sum()
