"""Annotations of every form."""

from typing import Any, Callable, Dict, List, Optional, Tuple, Union

import torch
from torch import Tensor, nn


def optional(x: Optional[torch.Tensor] = None, y: Optional[Tensor]=None) -> Optional[Tensor]:
    return x


def unions(x: Union[torch.Tensor, List[torch.FloatTensor]], y: torch.Tensor | None) -> Tensor | None:
    return x


def text(x: "torch.Tensor", y: "Optional[torch.LongTensor]" = None, z: "int" = 3) -> "Tensor":
    return x


def nested(x: Dict[str, Tuple[torch.Tensor, ...]], f: Callable[[Tensor], Tensor]) -> Tuple[int, Tensor]:
    return f(x["a"][0])


def other(dtype: torch.dtype, device: torch.device, size: torch.Size, g: torch.Generator) -> Any:
    return dtype


def variables(x):
    y: torch.Tensor = x
    z: Optional[torch.Tensor]
    w: torch.device = x.device
    return y


class Model(nn.Module):
    layer: nn.Linear
    weight: torch.Tensor
    device: torch.device

    def forward(self, x: torch.Tensor, *args: torch.Tensor, flag: bool = True, **kw: Any) -> torch.Tensor:
        return x


class Holder:
    module: nn.Module
    kinds: tuple[type[nn.Module], ...] = (nn.Linear, nn.LayerNorm)
