"""Annotations of every form."""

from typing import Any, Callable, Dict, List, Optional, Tuple, Union

import mindspore as ms
from mindspore import nn


def optional(x: Optional[ms.Tensor] = None, y: Optional[ms.Tensor]=None) -> Optional[ms.Tensor]:
    return x


def unions(x: Union[ms.Tensor, List[ms.Tensor]], y: ms.Tensor | None) -> ms.Tensor | None:
    return x


def text(x: "ms.Tensor", y: "Optional[ms.Tensor]" = None, z: "int" = 3) -> "ms.Tensor":
    return x


def nested(x: Dict[str, Tuple[ms.Tensor, ...]], f: Callable[[ms.Tensor], ms.Tensor]) -> Tuple[int, ms.Tensor]:
    return f(x["a"][0])


def other(dtype, device, size, g) -> Any:
    return dtype


def variables(x):
    y: ms.Tensor = x
    z: Optional[ms.Tensor]
    return y


class Model(nn.Cell):
    layer: nn.Dense
    weight: ms.Tensor
    device: object

    def construct(self, x: ms.Tensor, *args: ms.Tensor, flag: bool = True, **kw: Any) -> ms.Tensor:
        return x


class Holder:
    module: nn.Cell
    kinds: tuple[type[nn.Cell], ...] = (nn.Dense, nn.LayerNorm)
