"""What is asked of dtypes: which one two are promoted to, and what kind it is."""

import torch


def common(x: torch.Tensor, y: torch.Tensor) -> bool:
    dtype = torch.promote_types(x.dtype, y.dtype)
    if torch.is_conj(torch.ones(2)) or torch.is_neg(torch.ones(2)):
        return False
    return dtype.is_floating_point and x.dtype.itemsize == 4
