"""What a port answers in the one process and on the one device that it runs on."""

import torch
from torch import nn
from torch.nn.attention import SDPBackend


def ranks() -> list:
    group = torch.distributed.new_group([0])
    here = (torch.distributed.get_rank(), torch.distributed.get_rank(group))
    return [here, torch.distributed.get_world_size(), torch.cuda.device_count(), torch.cuda.current_device()]


def gathered(x: torch.Tensor) -> torch.Tensor:
    parts = torch.distributed.nn.functional.all_gather(x)
    return torch.cat(parts)


def prepared(model: nn.Module, x: torch.Tensor) -> nn.Module:
    drawn = torch.seed()
    with torch.nn.attention.sdpa_kernel(SDPBackend.MATH):
        model(x, drawn)
    with torch.nn.attention.sdpa_kernel([SDPBackend.CUDNN_ATTENTION, SDPBackend.FLASH_ATTENTION]):
        model(x, drawn)
    with torch.nn.attention.sdpa_kernel(SDPBackend.EFFICIENT_ATTENTION):
        model(torch.zeros_like(x, layout=x.layout), drawn)
    return nn.SyncBatchNorm.convert_sync_batchnorm(model)
