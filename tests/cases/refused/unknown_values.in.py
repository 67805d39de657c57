"""Values whose kind nobody says stay as they are."""

import torch


def copied(value):
    return value.copy(), value.index(1), value.count(2), value.split(",")


def chained(config, registry):
    return registry["gelu"](config).get("x").items()


def starred(values):
    return torch.add(*values)


def starred_keywords(x, options):
    return torch.sum(x, **options)
