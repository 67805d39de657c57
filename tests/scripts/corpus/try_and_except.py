import torch
try:
    x = torch.ones(2) + 1
except RuntimeError:
    x = None
try:
    raise ValueError("no")
except ValueError as error:
    message = str(error)
