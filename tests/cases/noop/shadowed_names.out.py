"""Names that look like torch and are none."""



class nn:  # noqa: N801
    """No module of torch."""

    @staticmethod
    def Linear(inputs, outputs):
        return inputs, outputs


def parameter_named_torch(torch, x):
    return torch.add(x, 1)


def local_named_torch(x):
    torch = make(x)
    return torch.cat([x, x], dim=1)


def parameter_named_add(add, x):
    return add(x, 1)


def loop_named_torch(items):
    return [torch.stack(items) for torch in items]


def lambda_named_torch():
    return lambda torch: torch.zeros(3)


def plain_local_linear():
    return nn.Linear(3, 4)


def decorated(make):
    @make()
    def inner(x):
        return x.add

    return inner


def called_twice(f):
    return make()(f)


def make(x=None):
    return x
