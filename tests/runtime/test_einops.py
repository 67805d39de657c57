"""Hold the patterns of einops to what einops gives and refuses."""

from __future__ import annotations

from typing import Any

import einops
import numpy as np
import pytest
import torch
from mindspore import Tensor

from porter.runtime import einops as ours

from .support import floats

REFUSED = [
    ("rearrange", (), {}, "b h w b h w", "no arrow"),
    ("rearrange", (), {}, "b h -> h b", "does not fit"),
    ("rearrange", (), {}, "b h w c ... -> b h w c ...", "does not fit"),
    ("rearrange", (), {}, "b h h -> b h", "twice"),
    ("rearrange", (), {}, "b h w -> b h", "cannot add or drop"),
    ("rearrange", (), {}, "b h w -> b h w c", "cannot add or drop"),
    ("repeat", (), {}, "b h w -> b h", "cannot add or drop"),
    ("repeat", (), {}, "b h w -> b h w c", "no length"),
    ("reduce", ("sum",), {}, "b h w -> b c", "cannot add or drop"),
    ("reduce", ("median",), {}, "b h w -> b", "reduction is"),
    ("rearrange", (), {"x": 2}, "b h w -> w h b", "no axis 'x'"),
    ("rearrange", (), {}, "b (h d) w -> b h d w", "without a length"),
    ("rearrange", (), {"h": 2}, "b (h d) w -> b h d w", "does not fit"),
    ("rearrange", (), {"b": 3}, "b h w -> w h b", "does not fit"),
    ("rearrange", (), {}, "b (h (d)) w -> b h d w", "within brackets"),
    ("rearrange", (), {}, "b h w) -> b h w", "too many"),
    ("rearrange", (), {}, "b (h w -> b h w", "not closed"),
]


@pytest.mark.parametrize(("name", "arguments", "lengths", "pattern", "message"), REFUSED)
def test_what_einops_refuses_is_refused(
    name: str, arguments: tuple[str, ...], lengths: dict[str, int], pattern: str, message: str
) -> None:
    value = floats(2, 3, 4)
    with pytest.raises(ValueError, match=message):
        getattr(ours, name)(Tensor(value), pattern, *arguments, **lengths)
    with pytest.raises((einops.EinopsError, KeyError, ValueError)):
        getattr(einops, name)(torch.from_numpy(value), pattern, *arguments, **lengths)


AXES = ["a", "bb", "c1", "d"]


@pytest.mark.parametrize("seed", range(30))
def test_random_patterns_give_what_einops_gives(seed: int) -> None:
    random = np.random.default_rng(seed)
    sizes = {name: int(random.integers(1, 4)) for name in AXES}

    def side(names: list[str]) -> list[list[str]]:
        groups: list[list[str]] = []
        for name in names:
            if groups and random.random() < 0.4:
                groups[-1].append(name)
            else:
                groups.append([name])
        if random.random() < 0.3:
            groups.insert(int(random.integers(0, len(groups) + 1)), [])
        return groups

    def text(groups: list[list[str]]) -> str:
        return " ".join(
            "1" if not group else group[0] if len(group) == 1 else f"({' '.join(group)})"
            for group in groups
        )

    left = side(AXES)
    shape = [int(np.prod([sizes[name] for name in group])) for group in left]
    value = floats(*shape, seed=seed)
    given = {name: sizes[name] for group in left for name in group[1:]}
    kept = [str(name) for name in random.permutation(AXES)[: int(random.integers(1, 5))]]
    calls: list[tuple[str, tuple[str, ...], list[str], dict[str, int]]] = [
        ("rearrange", (), [str(name) for name in random.permutation(AXES)], given),
        ("repeat", (), [str(n) for n in random.permutation([*AXES, "new"])], {**given, "new": 2}),
        ("reduce", (str(random.choice(["sum", "mean", "max", "min", "prod"])),), kept, given),
    ]
    for name, arguments, names, lengths in calls:
        pattern = f"{text(left)} -> {text(side(names))}"
        wanted: Any = getattr(einops, name)(torch.from_numpy(value), pattern, *arguments, **lengths)
        found = getattr(ours, name)(Tensor(value), pattern, *arguments, **lengths)
        np.testing.assert_allclose(
            found.asnumpy(), wanted.numpy(), rtol=1e-5, atol=1e-6, err_msg=f"{name} {pattern}"
        )
