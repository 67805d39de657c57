from dataclasses import dataclass

import mindspore as ms
from mindspore import nn


@dataclass
class Parts:
    hidden: ms.Tensor
    pooled: ms.Tensor | None = None


class Model(nn.Cell):
    def construct(self, x: ms.Tensor) -> ms.Tensor:
        parts = {"hidden": x, "pooled": x}
        other = parts
        parts.pooled = x * 2
        kept = []
        more = {"hidden": x, "pooled": x}
        kept.append(more)
        more.pooled = x * 3
        return other["pooled"] + kept[0]["pooled"]
