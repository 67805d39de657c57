"""Tensors in lists, tuples, dicts and sets, and what iterating and changing these gives."""

import itertools
from dataclasses import dataclass

import torch


@dataclass
class Output:
    hidden: torch.Tensor
    states: tuple[torch.Tensor, ...] | None = None
    name: str = "output"


def loops(tensors: list[torch.Tensor], names: list[str]):
    total = []
    for index, tensor in enumerate(tensors):
        total.append(tensor.add(index))
    for tensor, name in zip(tensors, names):
        total.append(tensor.split(2)[0])
        name.split("a")
    for index, (tensor, name) in enumerate(zip(tensors, names)):
        tensor.sub(index)
        name.index("a")
    for left, right in itertools.chain([(tensors[0], tensors[1])]):
        left.add(right)
    for tensor in reversed(tensors):
        tensor.index_select(0, torch.tensor([0]))
    for part in total:
        part.split(1)
    ordered = sorted(names, key=len)
    ordered.sort()
    return [name.replace("a", "b") for name in ordered]


def comprehensions(x: torch.Tensor, names: list[str]):
    rows = [row.add(1) for row in x]
    pieces = [part for row in rows for part in row.split(2)]
    table = {name: x.sub(i) for i, name in enumerate(names)}
    flat = [value.split(2) for value in table.values()]
    by_name = {name.replace("a", "b"): value.add(1) for name, value in table.items()}
    sums = tuple(piece.sum() for piece in pieces)
    letters = {name.split("a")[0] for name in names}
    letters.add("z")
    mapped = list(map(torch.neg, rows))
    kept = list(filter(torch.is_tensor, rows))
    return sums[0].add(1), mapped[0].split(2), kept[0].sub(1), flat, by_name["b"].split(2)


def dictionaries(x: torch.Tensor):
    past = {"key": x, "value": x.neg(), "name": "a b"}
    key = past["key"].split(2)
    words = past["name"].split(" ")
    cache = {}
    cache["key"] = x
    cache["key"].add(1)
    held = cache.get("key")
    held.split(2)
    cache.update({"more": x})
    states: dict[str, torch.Tensor] = {}
    states["a"] = x
    for name, state in states.items():
        state.add(len(name.split("a")))
    made = dict(first=x, second=x)
    made["first"].split(2)
    removed = made.pop("second").add(1)
    lists = {"a": [x, x]}
    lists["a"].append(x)
    lists["a"][0].sub(1)
    lists["a"].copy()
    return key, words, removed


def tuples(x: torch.Tensor):
    nested = ((x, "a b"), [x.neg(), 3])
    (first, word), rest = nested
    states = ()
    for _ in range(2):
        states = states + (x,)
    states += (first,)
    last = states[-1].split(2)
    middle = states[1:][0].add(1)
    triple = (x, x.shape, 2)
    triple[0].sub(1)
    triple[1].index(3)
    triple[2].bit_length()
    longest = max(states, key=len)
    return word.split(" "), rest[0].add(1), last, middle, nested[0][1].index("b"), longest.add(1)


def growing(x: torch.Tensor):
    outputs, names = [], []
    for step in range(3):
        outputs.append(x.mul(step))
        names.append(f"step {step}")
    outputs.insert(0, x)
    outputs.extend([x.neg()])
    first = outputs[0].split(2)
    last = outputs.pop().add(1)
    names.sort()
    word = names[0].split(" ")
    copied = outputs.copy()
    copied.reverse()
    many = [x] * 2
    many[1].sub(1)
    grid = [[x, x], [x, x]]
    grid[0][1].split(2)
    for row in grid:
        row.copy()
        for item in row:
            item.add(1)
    return first, last, word, torch.stack(copied).sub(1), torch.cat(outputs, dim=0).split(2)


def results(x: torch.Tensor):
    output = Output(hidden=x, states=(x, x))
    output.hidden.split(2)
    output.name.split("u")
    if output.states is not None:
        output.states[0].add(1)
    for state in output.states:
        state.split(2)
    return output.hidden.add(1)


def several(x: torch.Tensor, names: list[str] | None = None, extra: list[torch.Tensor] | None = None):
    names = names if names is not None else ["a b"]
    extra = extra or [x]
    value, indices = x.max(dim=-1)
    parts = x.split(2)
    numbers = x.tolist()
    numbers.sort()
    sizes = [part.size(0) for part in parts]
    sizes.sort()
    shapes = [part.shape for part in parts]
    shapes[0].index(3)
    return (
        names[0].split(" "),
        extra[0].split(2),
        value.add(indices),
        parts[0].add(1),
        torch.broadcast_tensors(x, x)[0].sub(1),
        torch.meshgrid(x[0], x[0], indexing="ij")[0].add(1),
        numbers.index(numbers[0]),
        sizes.count(3),
    )


def annotated(table: dict[str, torch.Tensor], words: set[str], many: dict[str, list[torch.Tensor]]):
    words.add("c")
    first = table["a"].split(2)
    for name, value in table.items():
        value.sub(len(name.split("a")))
    for word in words:
        word.replace("a", "b")
    for values in many.values():
        values.copy()
        values[0].add(1)
    return first, table.get("a").add(1)


def run():
    x = torch.arange(12.0).view(4, 3)
    loops([x, x.neg()], ["ab", "ca"])
    comprehensions(x, ["a", "ba"])
    dictionaries(x)
    tuples(x)
    growing(x)
    results(x)
    several(x)
    annotated({"a": x}, {"a"}, {"a": [x]})
    several(x, ["c d"], [x])
