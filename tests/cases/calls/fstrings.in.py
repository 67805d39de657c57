"""Edits inside f-strings."""

import torch


def double_quotes(x: torch.Tensor):
    return f"size {x.size(0)} of {x.dim()!r:>4} {torch.add(x, x):.3f}"


def single_quotes(x: torch.Tensor):
    return f'size {x.size(0)} and {x.transpose(0, 1)}' f"{x.size(1)}" 'plain'


def string_inside(x: torch.Tensor, names: dict):
    return f"{names['rows']} {x.size(0)}", f'{names["rows"]} {x.size(0)}'


def nested_width(x: torch.Tensor, width: int):
    return f"{x.size(0):>{width}} {width:{x.size(1)}}"


def braces(x: torch.Tensor):
    return f"{{}} {x.size(0)} {{{x.dim()}}}"


def debug(x: torch.Tensor):
    return f"{x.size(0)=}"
