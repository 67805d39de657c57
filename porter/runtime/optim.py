"""Provide torch's Adam, which MindSpore's is not where epsilon or weight decay matter."""

# mypy: allow-subclassing-any

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mindspore import Tensor
from mindspore.experimental import optim


class Adam(optim.AdamW):
    """Adam with the weight decay added to the gradient.

    `mindspore.experimental.optim.Adam` adds epsilon before it corrects the bias.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group; its weight decay is not the one that AdamW takes from the weights."""
        super().add_param_group(param_group)
        group = self.param_groups[-1]
        group["l2"] = group["weight_decay"]
        group["weight_decay"] = 0.0

    def construct(self, gradients: tuple[Tensor, ...]) -> bool:
        """Update the parameters by their gradients."""
        decayed: tuple[Tensor, ...] = ()
        for group_id, group in enumerate(self.param_groups):
            start, stop = self.group_start_id[group_id], self.group_start_id[group_id + 1]
            # AdamW turns the sign of what it maximises, the decay's too.
            factor = -group["l2"] if group["maximize"] else group["l2"]
            for position in range(start, stop):
                value = gradients[position]
                if factor != 0.0:
                    value = value + factor * self.parameters[position]
                decayed = (*decayed, value)
        return bool(super().construct(decayed))
