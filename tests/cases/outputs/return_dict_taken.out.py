import mindspore as ms
from mindspore import nn

from .runtime.modeling_outputs import BaseModelOutput
from .runtime.outputs import NamedOutputCell


class Inner(NamedOutputCell):
    output_class = BaseModelOutput
    output_fields = ("last_hidden_state",)

    def construct(self, x: ms.Tensor, **kwargs) -> BaseModelOutput:
        """Compute."""
        kwargs = {key: value for key, value in kwargs.items() if key != "return_dict"}
        return {"last_hidden_state": x * kwargs.get("scale", 1)}


class Untouched(NamedOutputCell):
    output_class = BaseModelOutput
    output_fields = ("last_hidden_state",)

    def construct(self, x: ms.Tensor, **kwargs) -> BaseModelOutput:
        return {"last_hidden_state": x}


class Model(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.untouched = Untouched()

    def features(self, x: ms.Tensor, **kwargs) -> BaseModelOutput:
        kwargs = {key: value for key, value in kwargs.items() if key != "return_dict"}
        return self.inner(x, return_dict=True, **kwargs)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        features = self.features(x, scale=2, return_dict=True)
        return features["last_hidden_state"] + self.untouched(x)["last_hidden_state"]
