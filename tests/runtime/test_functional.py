"""Compare the functions of the runtime with torch in every mode, gradients included."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import mindspore as ms
import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812

from porter.runtime import functional

from .support import Call, check, floats

INTEGERS = np.array([[3, 0, 2], [1, 1, 4]], np.int64)
WIDE = np.array([-40.0, -3.0, -0.5, 0.0, 1e-3, 0.7, 2.5, 19.0, 30.0, 90.0], np.float32)
NEAR_ZERO = np.array([1e-6, -1e-4, 0.0, 0.2, -0.24, 0.3, 5.0, -0.9], np.float32)
POSITIVE = np.abs(floats(3, 4, seed=5)) + 0.1
LOG_PROBABILITIES = np.log(POSITIVE / POSITIVE.sum(-1, keepdims=True))
PROBABILITIES = np.array([[0.2, 0.3, 0.0, 0.5], [0.1, 0.6, 0.3, 0.0], [0.4, 0.1, 0.2, 0.3]], "f4")
HEADS = (floats(2, 4, 5, 3, seed=1), floats(2, 4, 6, 3, seed=2), floats(2, 4, 6, 3, seed=3))
GROUPED = (HEADS[0], floats(2, 2, 6, 3, seed=2), floats(2, 2, 6, 3, seed=3))
IMAGE = floats(2, 6, 4, 5)


@dataclass(frozen=True)
class Case:
    """One call: the function of the runtime, torch's, the arrays and the constants."""

    name: str
    reference: Callable[..., Any]
    arrays: tuple[Any, ...]
    options: dict[str, Any] = field(default_factory=dict)
    static: tuple[int, ...] = ()
    gradient: bool = True
    tolerance: dict[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        shapes = "-".join("x".join(map(str, np.shape(array))) for array in self.arrays)
        options = "".join(f"-{key}={value}" for key, value in self.options.items())
        return f"{self.name}-{shapes}{options}"


def case(name: str, *arrays: Any, reference: Any = None, **options: Any) -> Case:
    """Take torch's function of the same name; static, gradient and tolerance are the test's own."""
    own = {key: options.pop(key) for key in ("static", "gradient", "tolerance") if key in options}
    if reference is None:
        reference = getattr(F, name, None) or getattr(torch, name)
    return Case(name, reference, arrays, options, **own)


CASES = [
    case("tanh", WIDE),
    case("tanh", floats(3, 4)),
    case("tanh", floats(3, 4, dtype="float64")),
    case("gelu", WIDE),
    case("gelu", floats(3, 4), approximate="tanh"),
    case("log1p", NEAR_ZERO, tolerance={"rtol": 1e-6, "atol": 0.0}),
    case("softplus", WIDE),
    case("softplus", floats(3, 4), beta=2.0, threshold=1.0),
    case("mish", WIDE),
    case("selu", WIDE),
    case("xlogy", np.array([0.0, 0.0, 2.0], "f4"), np.array([0.0, 3.0, 0.5], "f4"), gradient=False),
    case("xlogy", floats(3, 4), POSITIVE),
    case("one_hot", INTEGERS, num_classes=6, gradient=False),
    case("layer_norm", floats(2, 3, 4), normalized_shape=(4,)),
    case("layer_norm", floats(2, 3, 4), normalized_shape=(3, 4), eps=1e-3),
    case("rms_norm", floats(2, 3, 4), normalized_shape=(4,)),
    case("rms_norm", floats(2, 3, 4), normalized_shape=(3, 4), eps=1e-3),
    case("group_norm", IMAGE, num_groups=3, static=(1,)),
    case("instance_norm", IMAGE),
    case("instance_norm", floats(2, 3, 5)),
    case("batch_norm", IMAGE, floats(6, seed=1), np.abs(floats(6, seed=2)), gradient=False),
    case("batch_norm", IMAGE, running_mean=None, running_var=None, training=True),
    case("local_response_norm", IMAGE, size=2, static=(1,)),
    case("local_response_norm", IMAGE, size=3, alpha=0.5, k=2.0, static=(1,)),
    case("normalize", floats(3, 4)),
    case("normalize", floats(2, 3, 4), p=1.0, dim=-1),
    case("normalize", floats(2, 3, 4), p=3.0, dim=0, eps=1e-6),
    case("norm", floats(2, 3, 4)),
    case("norm", floats(2, 3, 4), p=2.0, dim=(0, 2), keepdim=True),
    case("norm", floats(2, 3, 4), p=1.0, dim=1),
    case("norm", floats(2, 3, 4), p=float("inf"), dim=1),
    case("norm", np.zeros((2, 3), "f4"), dim=-1),
    case("var", floats(2, 3, 4)),
    case("var", floats(2, 3, 4), dim=(0, 2), correction=2, keepdim=True),
    case("std", floats(2, 3, 4), dim=-1),
    case("std", floats(2, 3, 4), dim=1, correction=0, keepdim=True),
    case("cumsum", floats(2, 3, 4), dim=1),
    case("cumsum", INTEGERS.astype(np.int32), dim=-1, gradient=False),
    case("cumsum", INTEGERS > 1, dim=-1, gradient=False),
    case("cummin", floats(2, 3, 4), dim=1, gradient=False),
    case("max_along", floats(2, 3, 4), dim=-1, reference=torch.max, gradient=False),
    case("max_along", floats(2, 3, 4), dim=1, keepdim=True, reference=torch.max, gradient=False),
    case("min_along", floats(2, 3, 4), dim=0, reference=torch.min, gradient=False),
    case("sort", floats(2, 5), gradient=False),
    case("sort", floats(2, 5, 3), dim=1, descending=True, gradient=False),
    case("topk", floats(2, 5), k=3, gradient=False),
    case("topk", floats(2, 5, 3), k=2, dim=1, largest=False, gradient=False),
    case("unique", INTEGERS, gradient=False),
    case("kl_div", LOG_PROBABILITIES, PROBABILITIES, reduction="batchmean", gradient=False),
    case("kl_div", LOG_PROBABILITIES, LOG_PROBABILITIES[::-1].copy(), log_target=True),
    case("kl_div", LOG_PROBABILITIES, POSITIVE, reduction="none"),
    case("cosine_similarity", floats(3, 4), floats(3, 4, seed=1)),
    case("cosine_similarity", floats(2, 3, 4), floats(2, 3, 4, seed=1), dim=-1, eps=1e-6),
    case("pairwise_distance", floats(3, 4), floats(3, 4, seed=1)),
    case("pairwise_distance", floats(3, 4), floats(3, 4, seed=1), p=1.0, keepdim=True),
    case("triplet_margin_loss", floats(3, 4), floats(3, 4, seed=1), floats(3, 4, seed=2)),
    case(
        "triplet_margin_loss",
        floats(3, 4),
        floats(3, 4, seed=1),
        floats(3, 4, seed=2),
        swap=True,
        reduction="sum",
    ),
    case("margin_ranking_loss", floats(4), floats(4, seed=1), np.array([1, -1, 1, -1]), margin=0.5),
    case("hinge_embedding_loss", floats(4), np.array([1, -1, 1, -1]), reduction="none"),
    case("scaled_dot_product_attention", *HEADS),
    case("scaled_dot_product_attention", *HEADS, scale=0.3),
    case("scaled_dot_product_attention", *HEADS, is_causal=True),
    case("scaled_dot_product_attention", *HEADS, floats(5, 6) > -0.3),
    case("scaled_dot_product_attention", *HEADS, floats(2, 1, 5, 6)),
    case("scaled_dot_product_attention", *HEADS, np.arange(30).reshape(5, 6) >= 6),
    case("scaled_dot_product_attention", *GROUPED, enable_gqa=True, static=(1,)),
]


@pytest.mark.parametrize("sample", CASES, ids=str)
def test_function_is_torchs(sample: Case) -> None:
    function = getattr(functional, sample.name)
    check(
        lambda: Call(function, **sample.options),
        lambda *arrays: sample.reference(*arrays, **sample.options),
        *sample.arrays,
        static=sample.static,
        gradient=sample.gradient,
        tolerance=sample.tolerance,
    )


def test_tanh_keeps_its_digits_near_zero_and_at_every_size() -> None:
    points = np.concatenate([floats(2000, seed=7) * 10.0**power for power in (-6, -2, 0, 1)])
    points = points.astype(np.float32)
    ms.set_context(mode=ms.GRAPH_MODE)
    actual = Call(functional.tanh)(ms.Tensor(points)).asnumpy().astype(np.float64)
    exact = np.tanh(points.astype(np.float64))
    relative = np.abs(actual - exact) / np.maximum(np.abs(exact), 1e-30)
    assert relative.max() < 6 * np.finfo(np.float32).eps


def test_tanh_of_values_that_are_not_finite() -> None:
    points = np.array([np.nan, np.inf, -np.inf, -0.0], dtype=np.float32)
    ms.set_context(mode=ms.GRAPH_MODE)
    actual = Call(functional.tanh)(ms.Tensor(points)).asnumpy()
    np.testing.assert_array_equal(actual, np.array([np.nan, 1, -1, -0.0], dtype=np.float32))
