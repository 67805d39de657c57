"""Gather the functions that fill what MindSpore lacks of torch and torch.nn.functional."""

from __future__ import annotations

from .attention import scaled_dot_product_attention
from .convolution import bilinear, conv_transpose1d, conv_transpose2d
from .elementwise import gelu, log1p, mish, one_hot, selu, softplus, tanh, xlogy
from .losses import (
    cosine_similarity,
    hinge_embedding_loss,
    kl_div,
    margin_ranking_loss,
    pairwise_distance,
    triplet_margin_loss,
)
from .normalization import (
    batch_norm,
    group_norm,
    instance_norm,
    layer_norm,
    local_response_norm,
    norm,
    normalize,
    rms_norm,
)
from .reductions import cummin, cumsum, max_along, min_along, sort, std, topk, unique, var
from .resampling import interpolate

__all__ = [
    "batch_norm",
    "bilinear",
    "conv_transpose1d",
    "conv_transpose2d",
    "cosine_similarity",
    "cummin",
    "cumsum",
    "gelu",
    "group_norm",
    "hinge_embedding_loss",
    "instance_norm",
    "interpolate",
    "kl_div",
    "layer_norm",
    "local_response_norm",
    "log1p",
    "margin_ranking_loss",
    "max_along",
    "min_along",
    "mish",
    "norm",
    "normalize",
    "one_hot",
    "pairwise_distance",
    "rms_norm",
    "scaled_dot_product_attention",
    "selu",
    "softplus",
    "sort",
    "std",
    "tanh",
    "topk",
    "triplet_margin_loss",
    "unique",
    "var",
    "xlogy",
]
