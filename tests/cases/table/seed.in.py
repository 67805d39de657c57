"""Seeds, devices, and questions whose answer is fixed in a port."""

import torch


def prepare(x: torch.Tensor) -> torch.Tensor:
    torch.manual_seed(0)
    if torch.cuda.is_available() or torch.backends.mps.is_available():
        x = x.cuda()
    if torch.distributed.is_available() and torch.distributed.is_initialized():
        x = x + 1
    return x.to(torch.get_default_dtype())
