"""Tensors that pass through helper functions, closures, loops and conditions."""

import functools
from functools import partial
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn


class Pair(NamedTuple):
    first: torch.Tensor
    second: torch.Tensor


def heads(x, count):
    size = x.size(-1) // count
    return x.view(*x.shape[:-1], count, size).transpose(1, 2)


def halves(x):
    first, second = x.split(2, dim=-1)
    return torch.cat((second.neg(), first), dim=-1)


def thirds(x):
    return x.split(2)


def shifted(x, amount=1):
    y = x.add(amount)
    return y.to(x.dtype), y.sort(dim=-1)


def pick(values, name):
    return values[name].add(1)


def chosen(x, flag):
    if flag:
        return x.sort(dim=-1).values
    return x.index_select(0, torch.tensor([0, 1]))


def early(x, mask=None):
    if mask is None:
        return x.sum(-1)
    mask = mask.to(x.dtype)
    return x.masked_fill(mask.bool(), 0.0).sum(-1)


def optional(x, bias=None):
    if bias is not None:
        x = x.add(bias.view(1, -1))
        x = x.add(bias.repeat(x.size(0), 1))
    return x if bias is None else x.sub(bias.mean())


def either(value):
    if isinstance(value, str):
        return value.split(",")
    return value.split(2)


def mixed(value):
    if isinstance(value, torch.Tensor):
        return value.add(1).index_select(0, torch.tensor([0]))
    if isinstance(value, (list, tuple)):
        return value.index(2)
    return value.count("a")


def stacked(*tensors):
    total = tensors[0].clone()
    for tensor in tensors[1:]:
        total = total.add(tensor.to(total.dtype))
    parts = [tensor.split(2) for tensor in tensors]
    return total, [part.sum() for group in parts for part in group]


def collected(**tensors):
    names = [name.replace("_", "") for name in tensors]
    return [tensor.split(2) for tensor in tensors.values()], names


def doubling(x: torch.Tensor):
    steps = 0
    while x.sum() < 100:
        x = x.mul(2)
        steps += 1
    label = "steps"
    label = label.replace("s", "z")
    return x.sort().indices, label.split("t")


def closures(x: torch.Tensor, width):
    def scaled(value):
        return value.mul(width)

    def inner():
        return x.reshape(-1)

    both = scaled(x)
    total = both.add(inner().sum())
    shift = lambda value: value.sub(1)  # noqa: E731
    moved = shift(total)
    words = lambda line: line.split(" ")  # noqa: E731
    words("a b").sort()
    return moved.index_select(0, torch.tensor([0]))


def walrus(x: torch.Tensor):
    if (top := x.max(dim=-1)).values.any():
        x = x.add(top.values.unsqueeze(-1))
    if (count := len(x)) > 1 and (name := "b,a").index("b") == 0:
        name.split(",").sort()
    return x.sub(count)


def partials(x: torch.Tensor):
    norm = partial(F.normalize, dim=-1)
    scaled = functools.partial(shifted, amount=2)
    first, ordered = scaled(x)
    return norm(x).add(1).split(2), first.split(2), ordered.values.add(1)


def callables(x: torch.Tensor, act=F.relu):
    table = {"relu": F.relu, "tanh": torch.tanh}
    y = act(x).add(1)
    return y.index_add(0, torch.tensor([0]), table["tanh"](x).sub(1)[:1])


def pairs(x: torch.Tensor):
    pair = Pair(x, x.neg())
    first, second = pair
    return pair.first.add(1), first.split(2), second.split(2), pair[1].sub(1)


def unpacked(x: torch.Tensor):
    batch, length, width = x.shape
    total = batch.bit_length() + length
    head, *rest = x.unbind(0)
    values, indices = x.topk(2, dim=-1)
    (left, right), name = x.chunk(2, dim=-1), "left right"
    kept = (left, (right, name))
    inner, (other, word) = kept
    return [
        head.add(1),
        [item.sub(1) for item in rest],
        values.add(indices.to(values.dtype)),
        inner.split(1),
        other.split(1),
        word.split(" "),
        name.index("r"),
        total,
        width,
    ]


def operators(x: torch.Tensor, scale: float):
    y = -x * scale + 1
    flags = (y > 0) & ~(x == 1)
    z = scale / (1 + x**2)
    total = flags.to(torch.float32).add(z)
    number = (2 * 3 + 1).bit_length()
    text = ("a" + ",b" * 2).split(",")
    sizes = [1] * number
    sizes.sort()
    return (x @ y.transpose(-1, -2)).sort(), (x[:, 0] - 1).split(2), total.add(1), text, sizes


def conditional(x: torch.Tensor, flag: bool):
    y = x.neg() if flag else x
    words = "a b" if flag else "c"
    z = x or y if x.numel() == 1 else y
    hidden = None
    for _ in range(2):
        hidden = x if hidden is None else hidden.add(x)
    return y.split(2), words.split(" "), z.sub(1), hidden.sort()


def generated(x: torch.Tensor):
    def parts():
        for row in x.unbind(0):
            yield row.add(1)

    return [part.split(2) for part in parts()], next(parts()).sub(1)


def rebound(x: torch.Tensor, name: str):
    letters = [x for x in name.split(",")]
    for letter in letters:
        letter.replace("a", "b")
    y = x.add(1)
    x = name
    return y.split(2), x.split(",")


def recursive(x: torch.Tensor, depth: int):
    if depth == 0:
        return x.add(1)
    return recursive(x.sub(1), depth - 1).split(2)[0]


def counted(x: torch.Tensor, kept=None):
    sizes: tuple = x.shape
    held = None
    for step in range(2):
        if held is not None:
            step += held.numel()
        held = x.add(step)
    return sizes.numel(), sizes.index(3), held.split(2)


class Index:
    def __init__(self, indices, name="a b"):
        self.indices = torch.as_tensor(indices)
        self.name = name


class WideIndex(Index):
    def __init__(self, indices):
        super().__init__(indices, "wide index")


def indexed(index):
    return index.indices.view(-1), index.name.split(" ")


def built(x: torch.Tensor):
    index = Index(x)
    index.name.split(" ")
    return index.indices.split(2), indexed(index), indexed(WideIndex(x))


def wrong_annotation(x: int):
    y = x.size(0)
    return x.view(y, -1).transpose(0, 1)


def run():
    x = torch.arange(24.0).view(2, 3, 4)
    m = x[0]
    heads(x, 2)
    halves(x)
    thirds(m)
    shifted(m)
    pick({"key": m}, "key")
    chosen(m, True), chosen(m, False)
    early(m), early(m, m > 3)
    optional(m), optional(m, m[0])
    either("a,b"), either(m)
    mixed(m), mixed([1, 2]), mixed("abc")
    stacked(m, m)
    collected(first=m, last_one=m)
    doubling(m)
    closures(m, 2)
    walrus(m)
    partials(m)
    callables(m)
    pairs(m)
    unpacked(x)
    operators(m, 2.0)
    conditional(m, True), conditional(m, False)
    generated(m)
    rebound(m, "a,b")
    recursive(m, 2)
    counted(m)
    built(m)
    wrong_annotation(m)
    return nn.Identity()(x)
