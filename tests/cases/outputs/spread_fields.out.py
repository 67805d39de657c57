"""A result that takes over the fields of another: which there are is not known."""

from dataclasses import dataclass
from typing import Optional

import mindspore as ms
from mindspore import nn

from .runtime.modeling_outputs import BaseModelOutput
from .runtime.outputs import NamedOutputCell, extended, positions


@dataclass
class Extended(BaseModelOutput):
    extra: Optional[ms.Tensor] = None


class Inner(NamedOutputCell):
    output_class = Extended

    def construct(self, x: ms.Tensor, **options) -> Extended:
        return extended(options, extra=x)


class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        outputs = self.inner(x, last_hidden_state=x)
        return positions(outputs, ("last_hidden_state", "hidden_states", "attentions", "extra"))[0]
