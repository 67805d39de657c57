# class: Wanted
"""Quoted and plain annotations of what the port does not hold."""

from typing import Literal, Optional, Union

import torch
from torch import nn


class Other(nn.Module):
    def forward(self, x):
        return x


class Wanted(nn.Module):
    mode: Literal["Other", "torch"] = "torch"
    other: Optional["Other"] = None

    def forward(
        self,
        x: "torch.Tensor",
        other: Optional["Other"] = None,  # never there
        both: Union[Other, "torch.Tensor", None] = None,
        text: "not an annotation" = 1,
        deep: "dict[str, torch.Tensor | None]" = None,
    ) -> "Optional[torch.Tensor]":
        return torch.relu(x)
