"""Every position in which an expression can stand, outside of a graph."""

import torch


def walrus(x: torch.Tensor):
    if (n := x.size(0)) > 3:
        return n
    return [y := torch.relu(x), y.view(-1)]


def comprehensions(xs: list[torch.Tensor]):
    a = [torch.relu(x) for x in xs if x.size(0) > 1]
    b = {i: torch.relu(x) for i, x in enumerate(xs)}
    c = {x.size(0) for x in xs}
    d = sum(x.size(0) for x in xs if x.dim() == 2 if x.size(1))
    e = [torch.relu(x) for row in [xs] for x in row]
    return a, b, c, d, e


def lambdas():
    return lambda x, y=torch.float32: torch.add(x, torch.zeros(2, dtype=y))


def defaults(x: torch.Tensor, dtype=torch.float32, *, scale=torch.pi):
    return x * scale, dtype


def slices(x: torch.Tensor):
    return x[: x.size(0) // 2, ..., None], x[x.size(0) - 1 :: x.dim()], x[(0, 1)], x[0,]


def statements(x: torch.Tensor):
    assert x.size(0) == 1, f"not one: {x.size(0)}"
    for i in range(x.size(0)):
        while x.size(i):
            break
    else:
        raise ValueError(x.size(0))
    try:
        y = torch.relu(x)
    except ValueError as error:
        raise RuntimeError(x.size(0)) from error
    finally:
        torch.relu(x)
    y[torch.argmax(x)] = torch.relu(x)
    a = b = torch.relu(x)
    a, (b, *c) = torch.relu(x), (x.size(0), x, x)
    global g
    g = torch.relu(x)
    yield torch.relu(x)
    yield from torch.relu(x)
    del y[x.size(0) - 1], a
    return b, c


async def asynchronous(x: torch.Tensor):
    return await wait(torch.relu(x))


def displays(x: torch.Tensor):
    return {"a": torch.relu(x), **{"b": x.size(0)}}, {x.size(0)}, [*x.size()], (x.size(0),)


def chain(x: torch.Tensor):
    return 0 < x.size(0) <= x.size(1) != x.dim()


def one_line(x: torch.Tensor): y = torch.relu(x); return torch.relu(y)


def wait(x):
    return x


if torch.float32: TOP = torch.float16
with open(__file__) as handle, handle: NAMES = handle.read()
