"""A module of the standard library that the source and a rewritten call both need."""

import logging

import torch
from torch import nn
from transformers.utils import logging as transformers_logging

plain = logging.getLogger("plain")
logger = transformers_logging.get_logger(__name__)


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x)
