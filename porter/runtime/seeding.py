"""Draw a seed for the process."""

from __future__ import annotations

import secrets

import mindspore as ms


def seed() -> int:
    """Set a random seed and return it."""
    drawn = secrets.randbits(31)
    ms.set_seed(drawn)
    return drawn
