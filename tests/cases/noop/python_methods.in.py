"""Methods of Python's own values that share a name with a method of torch.Tensor."""


def strings(text: str):
    first, rest = "a,b".split(","), text.split(",", maxsplit=1)
    return first, rest, text.index("a"), text.count("b"), "x".expandtabs(), text.lower().title()


def lists(items: list):
    copied = [1].copy()
    items.sort()
    items.reverse()
    return copied, items.index(3), items.count(1), items.pop()


def dicts(d: dict):
    d.update(a=1)
    d.clear()
    return d.pop("a", None), {**d}.get("b"), {1: 2}.values(), {"a": 1}.copy()


def sets(s):
    known = {1, 2}
    known.add(3)
    known.clear()
    return known.union(s), {1}.difference(s)


def numbers(n: int):
    return (3).bit_length(), n.real, (1.5).is_integer(), float(n).conjugate()


class Box:
    def size(self):
        return 1

    def view(self, x):
        return x

    def other(self):
        return self.size() + self.view(2)
