# refused: PRT102
import torch

torch.set_grad_enabled(False)
recorded = torch.is_grad_enabled()
