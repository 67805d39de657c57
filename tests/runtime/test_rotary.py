"""Compare rotary frequencies with those that transformers computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS as REFERENCE

from porter.runtime.rotary import ROPE_INIT_FUNCTIONS

LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 256,
}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 128}


@pytest.mark.parametrize(
    "parameters",
    [
        {"rope_type": "linear", "factor": 3.0},
        {"rope_type": "linear", "factor": 3.0, "partial_rotary_factor": 0.5},
        {"rope_type": "dynamic", "factor": 2.0},
        LLAMA3,
        YARN,
        {**YARN, "beta_fast": 16, "beta_slow": 2, "truncate": False},
        {**YARN, "mscale": 0.7, "mscale_all_dim": 0.9},
        {**YARN, "attention_factor": 1.3},
    ],
    ids=lambda item: "-".join(str(value) for value in item.values()),
)
def test_frequencies_are_those_of_transformers(parameters: dict[str, Any]) -> None:
    config = LlamaConfig(
        hidden_size=64,
        num_attention_heads=4,
        max_position_embeddings=512,
        rope_parameters={"rope_theta": 10000.0, **parameters},
    )
    kind = parameters["rope_type"]
    expected, expected_factor = REFERENCE[kind](config, None)
    actual, factor = ROPE_INIT_FUNCTIONS[kind](config)
    np.testing.assert_allclose(actual.asnumpy(), expected.numpy(), rtol=2e-6)
    assert factor == pytest.approx(expected_factor)


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="there are linear, dynamic"):
        ROPE_INIT_FUNCTIONS["longrope"]
