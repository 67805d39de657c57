"""What modeling files take from transformers itself."""

import torch
from transformers.activations import ACT2CLS, gelu, gelu_pytorch_tanh, get_activation, silu
from transformers.initialization import constant_, copy_, default_flax_embed_init_, kaiming_normal_, kaiming_uniform_, lecun_normal_, normal_, ones_, trunc_normal_, uniform_, xavier_normal_, xavier_uniform_, zeros_
from transformers.integrations.deepspeed import is_deepspeed_available, is_deepspeed_zero3_enabled
from transformers.integrations.fsdp import is_fsdp_managed_module
from transformers.masking_utils import blockwise_overlay, chunked_overlay, create_bidirectional_mask, create_bidirectional_sliding_window_mask, create_causal_mask, create_chunked_causal_mask, create_recurrent_attention_mask, create_sliding_window_causal_mask, maybe_pad_block_sequence_ids, packed_sequence_mask_function, sliding_window_bidirectional_overlay, sliding_window_overlay
from transformers.modeling_flash_attention_utils import is_flash_attn_available
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS, get_torch_context_manager_or_global_device, slice_logits_to_keep
from transformers.pytorch_utils import apply_chunking_to_forward
from transformers.utils import is_accelerate_available, is_flash_attn_available, is_kernels_available, is_mambapy_available, is_ninja_available, is_peft_available, is_scipy_available, is_timm_available, is_torch_available, is_torch_cuda_available, is_torch_flex_attn_available, is_torch_fx_proxy, is_torch_greater_or_equal, is_torch_xla_available, is_torchdynamo_compiling, is_torchdynamo_exporting, is_torchvision_available, is_tracing, is_vision_available, logging, requires_backends, torch_compilable_check, torch_float, torch_int
from transformers.utils.generic import is_flash_attention_requested


def everything(config, x: torch.Tensor, weight: torch.nn.Parameter) -> list:
    found = [ACT2CLS["gelu"]()]
    if is_mambapy_available() and weight is not None:
        import mambapy

        found.append(mambapy)
    found.append(torch.nn.init.calculate_gain("relu"))
    found.append(gelu(x))
    found.append(gelu_pytorch_tanh(x))
    found.append(get_activation("gelu"))
    found.append(silu(x))
    constant_(weight, 0.5)
    copy_(weight, x)
    default_flax_embed_init_(weight)
    lecun_normal_(weight)
    kaiming_normal_(weight)
    kaiming_uniform_(weight)
    normal_(weight)
    ones_(weight)
    trunc_normal_(weight)
    uniform_(weight)
    xavier_normal_(weight)
    xavier_uniform_(weight)
    zeros_(weight)
    found.append(is_deepspeed_available())
    found.append(is_deepspeed_zero3_enabled())
    found.append(is_fsdp_managed_module(config))
    found.append(create_bidirectional_mask(config, x, x))
    found.append(create_bidirectional_sliding_window_mask(config, x, x))
    found.append(create_causal_mask(config, x, x))
    found.append(create_chunked_causal_mask(config, x, x, or_mask_function=blockwise_overlay(x)))
    found.append(chunked_overlay(2, x))
    found.append(maybe_pad_block_sequence_ids(x, x, 3, 0))
    found.append(packed_sequence_mask_function(x))
    found.append(sliding_window_bidirectional_overlay(2))
    found.append(sliding_window_overlay(2))
    found.append(create_recurrent_attention_mask(config, x, x, cache=None, position_ids=None))
    found.append(create_sliding_window_causal_mask(config, x, x))
    found.append(is_flash_attn_available())
    found.append(ALL_ATTENTION_FUNCTIONS.get("eager", config))
    found.append(ALL_ATTENTION_FUNCTIONS.get_interface("eager", config))
    found.append(slice_logits_to_keep(x, 1))
    found.append(apply_chunking_to_forward(config, 0, 1, x, x))
    found.append(is_flash_attention_requested())
    found.append(is_accelerate_available())
    found.append(is_flash_attn_available())
    found.append(is_kernels_available())
    found.append(is_mambapy_available())
    found.append(is_ninja_available())
    found.append(is_peft_available())
    found.append(is_scipy_available())
    found.append(get_torch_context_manager_or_global_device() == torch.device("meta"))
    found.append(is_vision_available())
    found.append(is_timm_available())
    found.append(is_torch_available())
    found.append(is_torch_cuda_available())
    found.append(is_torch_flex_attn_available())
    found.append(is_torch_fx_proxy(x))
    found.append(is_torch_greater_or_equal("2.4"))
    found.append(is_torch_xla_available())
    found.append(is_torchdynamo_compiling())
    found.append(is_torchdynamo_exporting())
    found.append(is_torchvision_available())
    found.append(is_tracing())
    found.append(logging.get_logger(__name__))
    requires_backends(config, ["torch"])
    torch_compilable_check(True)
    found.append(torch_float(x.shape[0]))
    found.append(torch_int(x.shape[0]))
    return found
