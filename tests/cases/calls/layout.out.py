"""Calls over several lines, with comments between their arguments."""

import mindspore as ms
from mindspore import ops


def each_argument_has_a_line(x: ms.Tensor, y: ms.Tensor):
    # above the call
    out = ops.cat(
        # above the first argument
        [x, y],  # behind the first argument
        # above the second argument
        axis=1,  # behind the second argument
        # below the last argument
    )  # behind the call
    return out


def argument_that_vanishes(x: ms.Tensor):
    # rows
    # columns
    # where x is
    return ops.zeros(
        (2, 3), dtype=ms.float32,  # single precision
    )


def backslash(x: ms.Tensor, y: ms.Tensor):
    return x + y


def chained(x: ms.Tensor):
    # all
    return (
        x.swapaxes(0, 1)  # swap
        .contiguous()  # copy
        .view((-1, 4))
    )


def spaces(x: ms.Tensor, y: ms.Tensor):
    return ops.matmul( x , y ) ,ops.relu( x )
