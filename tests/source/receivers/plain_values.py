"""Values that are no tensors, with methods of the names that tensors have."""

import collections
import logging
import math
import random
import re
from pathlib import Path

import numpy as np
import torch
from torch import nn

logger = logging.getLogger(__name__)
WORD = re.compile(r"[a-z]+")
NAMES = ["query", "key", "value"]
TABLE = {"small": [1, 2], "large": [3, 4]}


class Config:
    def __init__(self):
        self.hidden_size = 8
        self.layer_types = ["full", "sliding", "full"]
        self.activation = "gelu_new"
        self.rope_scaling = {"type": "linear", "factor": 2.0}
        self.name = "tiny model"


def split_name(name):
    head, tail = name.split(".", 1)
    return head.replace("_", " "), tail.index("w"), tail.count("e")


def text(path: str):
    parts = path.split("/")
    stem = parts[-1].replace(".bin", "")
    padded = stem.ljust(12).strip()
    message = "{}: {}".format(padded, len(parts))
    lower = message.lower().title()
    where = lower.find("x")
    fields = "a=1,b=2".split(",")
    pairs = [field.split("=") for field in fields]
    keys = [pair[0].upper() for pair in pairs]
    joined = ", ".join(keys).encode("utf-8")
    return f"{stem.replace('a', 'b')}", where, joined.decode("utf-8").split(", ")


def lists(count: int):
    sizes = [count, 1, 2]
    sizes.sort()
    sizes.reverse()
    copied = sizes.copy()
    copied.insert(0, 5)
    copied.extend([7, 8])
    last = copied.pop()
    copied.remove(5)
    position = copied.index(7)
    names = sorted(NAMES)
    names.sort(key=len)
    first = NAMES.index("key")
    pieces = []
    for name in names:
        pieces.append(name.split("u"))
    for piece in pieces:
        piece.sort()
    nested = [[3, 1], [2, 0]]
    nested[0].sort()
    nested[1].copy()
    ends = [row.index(max(row)) for row in nested]
    return last, position, first, ends, copied.count(7)


def dicts(options: dict):
    settings = {"scale": 2, "shift": 1}
    copied = settings.copy()
    copied.update(options)
    scale = copied.get("scale", 1)
    total = sum(copied.values())
    names = list(copied.keys())
    names.sort()
    for key, value in settings.items():
        copied.setdefault(key, value)
    removed = copied.pop("shift")
    rows = {name: name.split("a") for name in names}
    rows["scale"].copy()
    TABLE["small"].sort()
    ordered = collections.OrderedDict(settings)
    ordered.move_to_end("scale")
    counted = collections.Counter("abca")
    counted.subtract("a")
    counted.update("b")
    groups = collections.defaultdict(list)
    groups["a"].append(1)
    groups["a"].sort()
    return scale, total, removed, ordered.get("scale"), counted.values()


def sets(names):
    seen = set()
    seen.add("query")
    seen.update(names)
    other = {"value", "bias"}
    other.add("query")
    kept = seen.union(other).copy()
    kept.discard("bias")
    queue = collections.deque([1, 2])
    queue.append(3)
    queue.rotate(1)
    queue.index(3)
    return kept.difference(other), queue.pop()


def objects(folder: Path):
    file = folder / "model.bin"
    absolute = file.absolute()
    renamed = file.with_suffix(".npz").name.split(".")
    resolved = Path("a").absolute().parent
    found = WORD.sub("-", "ab 12")
    match = re.match(r"(\d+)", "12 ab")
    span = match.group(1).split("2")
    logger.log(logging.DEBUG, "nothing")
    generator = random.Random(3)
    generator.random()
    drawn = random.choice(NAMES).split("e")
    whole = (4).bit_length()
    rounded = (2.5).is_integer()
    root = math.sqrt(4.0).is_integer()
    return absolute, renamed, resolved, found, span, drawn, whole, rounded, root


def arrays(count: int):
    table = np.arange(count * 2, dtype=np.float32).reshape(count, 2)
    turned = table.T.copy()
    swapped = table.transpose(1, 0)
    mean = table.mean(axis=0)
    flat = swapped.reshape(-1).astype(np.int64)
    flat.sort()
    largest = (table * 2 + 1).max()
    wide = np.concatenate([table, table]).repeat(2, axis=0)
    row = wide[0].sum()
    mask = (table > 1).any()
    rows = [np.zeros(2), np.ones(2)]
    sums = [item.sum() for item in rows]
    stacked = np.stack(rows).squeeze().clip(0, 1)
    tensor = torch.from_numpy(turned)
    back = tensor.numpy().transpose(1, 0).round()
    generator = np.random.default_rng(0)
    drawn = generator.normal(size=(2, 2)).mean()
    largest_index = int(stacked.argmax())
    return mean, largest, row, mask, sums, tensor.transpose(0, 1), back, drawn, largest_index


def measure(values):
    return values.std(), values.reshape(-1), values.copy()


class Layer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.kinds = config.layer_types.copy()
        self.kind = config.activation.split("_")[0]
        self.names = []
        for kind in self.kinds:
            self.names.append(kind.replace("full", "whole"))
        self.options = dict(config.rope_scaling)
        self.tags = {"first"}
        self.linear = nn.Linear(config.hidden_size, config.hidden_size)

    def describe(self):
        self.names.sort()
        self.tags.add("second")
        first = self.names.index("sliding")
        kind = self.config.layer_types.index("sliding")
        factor = self.options.get("factor", 1.0)
        title = self.config.name.replace(" ", "-").split("-")
        device = self.linear.weight.device.type.split(":")
        dtype = str(self.linear.weight.dtype).split(".")
        return first, kind, factor, title, device, dtype

    def forward(self, hidden: torch.Tensor, mode="plain"):
        shape = hidden.shape
        last = shape.index(8)
        ones = hidden.size().count(1)
        modes = mode.split("+")
        if isinstance(mode, str):
            modes.append(mode.replace("a", "b"))
        if "scale" in modes[0].replace("_", " "):
            hidden = hidden.mul(2)
        sizes = list(hidden.shape)
        sizes.insert(0, 1)
        sizes.sort()
        return self.linear(hidden), last, ones, sizes.index(1)


def run():
    split_name("layer_one.weight")
    text("some/model.bin")
    lists(3)
    dicts({"scale": 3})
    sets(["key", "value"])
    objects(Path("folder"))
    arrays(3)
    measure(np.ones(3))
    layer = Layer(Config())
    layer.describe()
    layer(torch.ones(2, 8))
    for name, parameter in layer.named_parameters():
        head = name.split(".")
        size = parameter.numel() + len(head)
    return size
