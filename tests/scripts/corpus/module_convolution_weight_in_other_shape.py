# refused: PRT102
import torch
conv = torch.nn.Conv1d(2, 3, 2)
result = conv.weight.shape
