"""Calls over several lines, with comments between their arguments."""

import torch
import torch.nn.functional as F


def each_argument_has_a_line(x: torch.Tensor, y: torch.Tensor):
    # above the call
    out = torch.cat(
        # above the first argument
        [x, y],  # behind the first argument
        # above the second argument
        dim=1,  # behind the second argument
        # below the last argument
    )  # behind the call
    return out


def argument_that_vanishes(x: torch.Tensor):
    return torch.zeros(
        2,  # rows
        3,  # columns
        device=x.device,  # where x is
        dtype=torch.float32,  # single precision
    )


def backslash(x: torch.Tensor, y: torch.Tensor):
    return torch.add(x, \
        y)


def chained(x: torch.Tensor):
    return (
        x.transpose(0, 1)  # swap
        .contiguous()  # copy
        .view(
            -1,  # all
            4,
        )
    )


def spaces(x: torch.Tensor, y: torch.Tensor):
    return torch.matmul( x , y ) ,F . relu( x )
