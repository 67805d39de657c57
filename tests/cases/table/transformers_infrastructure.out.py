"""What modeling files take from transformers itself."""

import logging
import mindspore as ms
from mindspore import ops

from .runtime.activations import ACT2CLS, get_activation
from .runtime.chunking import apply_chunking_to_forward
from .runtime.elementwise import gelu
from .runtime.initialization import (
    calculate_gain,
    constant_,
    copy_,
    default_flax_embed_init_,
    kaiming_normal_,
    kaiming_uniform_,
    lecun_normal_,
    normal_,
    ones_,
    trunc_normal_,
    uniform_,
    xavier_normal_,
    xavier_uniform_,
    zeros_,
)
from .runtime.mask_functions import (
    blockwise_overlay,
    chunked_overlay,
    maybe_pad_block_sequence_ids,
    packed_sequence_mask_function,
    sliding_window_bidirectional_overlay,
    sliding_window_overlay,
)
from .runtime.masking import (
    create_bidirectional_mask,
    create_bidirectional_sliding_window_mask,
    create_causal_mask,
    create_chunked_causal_mask,
    create_recurrent_attention_mask,
    create_sliding_window_causal_mask,
)
from .runtime.shaping import slice_logits_to_keep


def everything(config, x: ms.Tensor, weight) -> list:
    found = [ACT2CLS["gelu"]()]
    found.append(calculate_gain("relu"))
    found.append(gelu(x))
    found.append(gelu(x, approximate="tanh"))
    found.append(get_activation("gelu"))
    found.append(ops.silu(x))
    constant_(weight, val=0.5)
    copy_(weight, other=x)
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
    found.append(False)
    found.append(False)
    found.append(False)
    found.append(create_bidirectional_mask(config, inputs_embeds=x, attention_mask=x))
    found.append(create_bidirectional_sliding_window_mask(config, inputs_embeds=x, attention_mask=x))
    found.append(create_causal_mask(config, inputs_embeds=x, attention_mask=x))
    found.append(create_chunked_causal_mask(config, inputs_embeds=x, attention_mask=x, or_mask_function=blockwise_overlay(x)))
    found.append(chunked_overlay(2, left_padding=x))
    found.append(maybe_pad_block_sequence_ids(x, attention_mask=x, kv_length=3, kv_offset=0))
    found.append(packed_sequence_mask_function(x))
    found.append(sliding_window_bidirectional_overlay(2))
    found.append(sliding_window_overlay(2))
    found.append(create_recurrent_attention_mask(x, x))
    found.append(create_sliding_window_causal_mask(config, inputs_embeds=x, attention_mask=x))
    found.append(False)
    found.append(config)
    found.append(config)
    found.append(slice_logits_to_keep(x, logits_to_keep=1))
    found.append(apply_chunking_to_forward(config, 0, 1, x, x))
    found.append(False)
    found.append(False)
    found.append(False)
    found.append(False)
    found.append(False)
    found.append(False)
    found.append(False)
    found.append(False)
    found.append("cpu" == "meta")
    found.append(False)
    found.append(False)
    found.append(False)
    found.append(False)
    found.append(False)
    found.append(False)
    found.append(True)
    found.append(False)
    found.append(False)
    found.append(False)
    found.append(False)
    found.append(False)
    found.append(logging.getLogger(__name__))
    found.append(float(x.shape[0]))
    found.append(int(x.shape[0]))
    return found
