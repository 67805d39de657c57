"""Edits inside f-strings."""

import mindspore as ms


def double_quotes(x: ms.Tensor):
    return f"size {x.shape[0]} of {x.ndim!r:>4} {(x + x).item():.3f}"


def single_quotes(x: ms.Tensor):
    return f'size {x.shape[0]} and {x.swapaxes(0, 1)}' f"{x.shape[1]}" 'plain'


def string_inside(x: ms.Tensor, names: dict):
    return f"{names['rows']} {x.shape[0]}", f'{names["rows"]} {x.shape[0]}'


def nested_width(x: ms.Tensor, width: int):
    return f"{x.shape[0]:>{width}} {width:{x.shape[1]}}"


def braces(x: ms.Tensor):
    return f"{{}} {x.shape[0]} {{{x.ndim}}}"


def debug(x: ms.Tensor):
    return f"{x.shape[0]=}"
