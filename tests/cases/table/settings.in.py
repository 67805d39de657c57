"""Settings that no value depends on."""

import torch

torch.set_printoptions(precision=3)
torch.set_num_threads(1)
torch.set_grad_enabled(False)
x = torch.ones(2)
