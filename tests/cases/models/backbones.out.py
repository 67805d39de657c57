"""Stages of a vision backbone by their names, batch norms that are exchanged, and aliases of results."""

from dataclasses import dataclass

import mindspore as ms
from mindspore import nn, ops
from transformers.models.resnet.configuration_resnet import ResNetConfig

from .runtime.backbones import BackboneMixin
from .runtime.containers import add_module
from .runtime.convolution_layers import ConvTranspose1d
from .runtime.initialization import ones_, uniform_
from .runtime.inplace import update
from .runtime.modeling import PreTrainedModel
from .runtime.modeling_outputs import BackboneOutput, BaseModelOutput
from .runtime.outputs import ModelOutput, item_at, named_output
from .runtime.parameters import named_in_torch
from .runtime.recording import filtered

StageOutput = BaseModelOutput


@dataclass
class BothOutput(ModelOutput):
    first: ms.Tensor | None = None
    stages: BaseModelOutput | None = None


class Frozen(nn.Cell):
    def __init__(self, width: int):
        super().__init__()
        self.weight = ms.Parameter(ops.ones((width,)))

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return x * self.weight[None, :, None, None]


class Block(nn.Cell):
    def __init__(self, width: int):
        super().__init__()
        self.linear = nn.Dense(width, width)
        self.norm = nn.BatchNorm2d(width)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        return self.norm(self.linear(x).swapaxes(1, 2)[..., None])[..., 0].swapaxes(1, 2)


def exchange(model):
    for name, module in model.name_cells().items():
        if isinstance(module, nn.BatchNorm2d):
            frozen = Frozen(module.num_features)
            update(frozen.weight, ops.broadcast_to(module.gamma, frozen.weight.shape).astype(frozen.weight.dtype))
            add_module(model, name, frozen)
        if len(list(module.cells())) > 0:
            exchange(module)


class Pretrained(PreTrainedModel):
    config_class = ResNetConfig

    def _init_weights(self, module):
        super()._init_weights(module)
        if isinstance(module, nn.Dense):
            ones_(module.weight)
        elif "Batch" in type(module).__name__:
            ones_(named_in_torch(module, "weight"))
        elif isinstance(module, (nn.Conv1d, ConvTranspose1d)):
            bound = 1 / (module.group * module.kernel_size[-1:][0])
            uniform_(module.weight, a=-bound, b=bound)


class Backbone(BackboneMixin, Pretrained):
    output_class = BackboneOutput
    output_fields = ("feature_maps", "hidden_states")

    has_attentions = False

    def __init__(self, config: ResNetConfig):
        super().__init__(config)
        self.num_features = [8, *config.hidden_sizes]
        self.blocks = nn.CellList([Block(width) for width in self.channels])
        self.post_init()

    def construct(self, x: ms.Tensor, output_hidden_states=None, **kwargs) -> BackboneOutput:
        if output_hidden_states is None:
            output_hidden_states = self.config.output_hidden_states
        kwargs["output_hidden_states"] = True
        states = [x]
        for block in self.blocks[::-1]:
            states.append(block(states[-1]))
        maps = ()
        for state, stage in zip(states, self.stage_names):
            if stage in self.out_features:
                maps += (state,)
        return filtered({"feature_maps": maps, "hidden_states": tuple(states)}, output_hidden_states)


class Stages(Pretrained):
    output_class = BaseModelOutput

    def __init__(self, config: ResNetConfig):
        super().__init__(config)
        backbone = Backbone(config)
        exchange(backbone)
        self.backbone = backbone
        self.post_init()

    def construct(self, pixel_values: ms.Tensor | None = None, image: ms.Tensor | None = None, **kwargs) -> StageOutput:
        if pixel_values is None:
            pixel_values = image
        features = self.backbone.construct(pixel_values, **kwargs)
        if isinstance(features, dict):
            features = features.get("feature_maps")
        return named_output(last_hidden_state=features[-1] + 0.5 * item_at(features, 0, ("feature_maps", "hidden_states", "attentions")))


class Model(Pretrained):
    def __init__(self, inner: nn.Cell | None = None):
        super().__init__(ResNetConfig(hidden_sizes=[8, 8], depths=[1, 1], out_features=["stem", "stage2"]))
        self.stages = Stages(self.config) if inner is None else inner

    def both(self, x: ms.Tensor) -> BothOutput:
        stages = self.stages(image=x)
        return named_output(first=x * 2.0, stages=stages)

    def named(self, x: ms.Tensor, return_dict: bool | None = None) -> tuple | BaseModelOutput:
        if not return_dict:
            return (x * 3.0,)
        return named_output(last_hidden_state=x)

    def construct(self, x: ms.Tensor) -> ms.Tensor:
        outputs = self.both(x)
        return outputs.get("first") + outputs.get("stages").get("last_hidden_state") + self.named(x, return_dict=False)[0]
