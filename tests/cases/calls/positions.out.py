"""Every position in which an expression can stand, outside of a graph."""

import mindspore as ms
from mindspore import ops


def walrus(x: ms.Tensor):
    if (n := x.shape[0]) > 3:
        return n
    return [y := ops.relu(x), y.view((-1,))]


def comprehensions(xs: list[ms.Tensor]):
    a = [ops.relu(x) for x in xs if x.shape[0] > 1]
    b = {i: ops.relu(x) for i, x in enumerate(xs)}
    c = {x.shape[0] for x in xs}
    d = sum(x.shape[0] for x in xs if x.ndim == 2 if x.shape[1])
    e = [ops.relu(x) for row in [xs] for x in row]
    return a, b, c, d, e


def lambdas():
    return lambda x, y=ms.float32: x + ops.zeros((2,), dtype=y)


def defaults(x: ms.Tensor, dtype=ms.float32, *, scale=3.141592653589793):
    return x * scale, dtype


def slices(x: ms.Tensor):
    return x[: x.shape[0] // 2, ..., None], x[x.shape[0] - 1 :: x.ndim], x[(0, 1)], x[0,]


def statements(x: ms.Tensor):
    assert x.shape[0] == 1, f"not one: {x.shape[0]}"
    for i in range(x.shape[0]):
        while x.shape[i]:
            break
    else:
        raise ValueError(x.shape[0])
    try:
        y = ops.relu(x)
    except ValueError as error:
        raise RuntimeError(x.shape[0]) from error
    finally:
        ops.relu(x)
    y[ops.argmax(x)] = ops.relu(x)
    a = b = ops.relu(x)
    a, (b, *c) = ops.relu(x), (x.shape[0], x, x)
    global g
    g = ops.relu(x)
    yield ops.relu(x)
    yield from ops.relu(x)
    del y[x.shape[0] - 1], a
    return b, c


async def asynchronous(x: ms.Tensor):
    return await wait(ops.relu(x))


def displays(x: ms.Tensor):
    return {"a": ops.relu(x), **{"b": x.shape[0]}}, {x.shape[0]}, [*x.shape], (x.shape[0],)


def chain(x: ms.Tensor):
    return 0 < x.shape[0] <= x.shape[1] != x.ndim


def one_line(x: ms.Tensor): y = ops.relu(x); return ops.relu(y)


def wait(x):
    return x


if ms.float32: TOP = ms.float16
with open(__file__) as handle, handle: NAMES = handle.read()
