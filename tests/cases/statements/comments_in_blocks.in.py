"""Comments at the ends of blocks that vanish, and in the heads of statements."""

import torch
from torch import nn


class Model(nn.Module):
    def forward(
        self,
        x: torch.Tensor,  # the input
    ) -> torch.Tensor:
        # before the block
        with torch.no_grad():
            # in the block
            y = torch.relu(x)
            # at the end of the block
        # after the block
        if x.size(0) > 1:
            with torch.no_grad():
                y = torch.relu(y)
                # at the end of both blocks
        if (
            # above the test
            x.size(  # which size
                0  # the first
            )
            > 1
        ):
            y = torch.add(
                x,
                # between
                y,
            )
        return y
