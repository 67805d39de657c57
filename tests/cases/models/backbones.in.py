"""Stages of a vision backbone by their names, batch norms that are exchanged, and aliases of results."""

from dataclasses import dataclass

import torch
from torch import nn
from transformers.backbone_utils import BackboneMixin, filter_output_hidden_states
from transformers.modeling_outputs import BackboneOutput, BaseModelOutput
from transformers.modeling_utils import PreTrainedModel
from transformers.models.resnet.configuration_resnet import ResNetConfig
from transformers.utils import is_scipy_available
from transformers.utils.deprecation import deprecate_kwarg
from transformers.utils.generic import ModelOutput, can_return_tuple

StageOutput = BaseModelOutput


@dataclass
class BothOutput(ModelOutput):
    first: torch.FloatTensor | None = None
    stages: BaseModelOutput | None = None


class Frozen(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.weight[None, :, None, None]


class Block(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.norm = nn.BatchNorm2d(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(self.linear(x).transpose(1, 2)[..., None])[..., 0].transpose(1, 2)


def exchange(model):
    for name, module in model.named_children():
        if isinstance(module, nn.BatchNorm2d):
            frozen = Frozen(module.num_features)
            frozen.weight.data.copy_(module.weight)
            model._modules[name] = frozen
        if len(list(module.children())) > 0:
            exchange(module)


class Pretrained(PreTrainedModel):
    config_class = ResNetConfig

    def _init_weights(self, module):
        super()._init_weights(module)
        if isinstance(module, nn.Linear):
            nn.init.ones_(module.weight)
        elif "Batch" in type(module).__name__:
            nn.init.ones_(module.weight)
        elif isinstance(module, (nn.Conv1d, nn.ConvTranspose1d)):
            bound = 1 / (module.groups * module.kernel_size[0])
            nn.init.uniform_(module.weight, -bound, bound)


class Backbone(BackboneMixin, Pretrained):
    has_attentions = False

    def __init__(self, config: ResNetConfig):
        super().__init__(config)
        self.num_features = [8, *config.hidden_sizes]
        self.blocks = nn.ModuleList([Block(width) for width in self.channels])
        self.post_init()

    @can_return_tuple
    @filter_output_hidden_states
    def forward(self, x: torch.Tensor, **kwargs) -> BackboneOutput:
        states = [x]
        for block in reversed(self.blocks):
            states.append(block(states[-1]))
        maps = ()
        for state, stage in zip(states, self.stage_names):
            if stage in self.out_features:
                maps += (state,)
        return BackboneOutput(feature_maps=maps, hidden_states=tuple(states))


class Stages(Pretrained):
    def __init__(self, config: ResNetConfig):
        super().__init__(config)
        backbone = Backbone(config)
        exchange(backbone)
        self.backbone = backbone
        self.post_init()

    @can_return_tuple
    @deprecate_kwarg("image", version="9.0", new_name="pixel_values")
    def forward(self, pixel_values: torch.Tensor | None = None, image: torch.Tensor | None = None, **kwargs) -> StageOutput:
        features = self.backbone.forward_with_filtered_kwargs(pixel_values, **kwargs)
        if isinstance(features, dict):
            features = features.feature_maps
        return StageOutput(last_hidden_state=features[-1] + 0.5 * features[0])


class Model(Pretrained):
    def __init__(self, inner: nn.Module | None = None):
        super().__init__(ResNetConfig(hidden_sizes=[8, 8], depths=[1, 1], out_features=["stem", "stage2"]))
        self.stages = Stages(self.config) if inner is None else inner
        if is_scipy_available():
            import scipy

            self.scipy = scipy

    def both(self, x: torch.Tensor) -> BothOutput:
        stages = self.stages(image=x)
        return BothOutput(first=x * 2.0, stages=stages)

    def named(self, x: torch.Tensor, return_dict: bool | None = None) -> tuple | BaseModelOutput:
        if not return_dict:
            return (x * 3.0,)
        return BaseModelOutput(last_hidden_state=x)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        outputs = self.both(x)
        return outputs.first + outputs.stages.last_hidden_state + self.named(x, return_dict=False)[0]
