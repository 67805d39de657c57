"""Compare masks made with functions and blocks with those of transformers, to the bit."""

# mypy: allow-subclassing-any

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mindspore import Tensor, nn
from transformers import masking_utils

from porter.runtime import mask_functions, masking

from .support import check
from .test_masking import EMBEDS, EXACT, PADDED, configuration

BLOCKS = np.array([[-1, 0, 0, -1, 1], [0, 0, 0, 1, 1]], np.int64)


class Overlaid(nn.Cell):
    """Build a mask with functions of `functions`, over blocks that are an input."""

    def __init__(self, config: Any, create: Callable[..., Any], functions: Any, kind: str) -> None:
        super().__init__()
        self.config, self.create, self.functions, self.kind = config, create, functions, kind

    def construct(self, embeds: Tensor, blocks: Tensor, attention_mask: Any = None) -> Any:
        return overlaid(
            self.create, self.functions, self.kind, self.config, embeds, blocks, attention_mask
        )


def overlaid(
    create: Any, functions: Any, kind: str, config: Any, embeds: Any, blocks: Any, mask: Any
) -> Any:
    if kind == "blocks":
        return create(config, embeds, mask, None, block_sequence_ids=blocks)
    either = functions.blockwise_overlay(blocks)
    if kind == "or":
        return create(config, embeds, mask, None, or_mask_function=either)
    if kind == "and":
        both = functions.packed_sequence_mask_function(blocks)
        return create(config, embeds, mask, None, and_mask_function=both)
    window = functions.sliding_window_overlay(2)
    return create(config, embeds, mask, None, or_mask_function=either, and_mask_function=window)


@pytest.mark.parametrize("mask", [(), (PADDED,)], ids=["whole", "padded"])
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("create_causal_mask", "blocks"),
        ("create_causal_mask", "or"),
        ("create_causal_mask", "and"),
        ("create_causal_mask", "both"),
        ("create_sliding_window_causal_mask", "blocks"),
        ("create_sliding_window_causal_mask", "both"),
        ("create_chunked_causal_mask", "both"),
        ("create_bidirectional_mask", "and"),
        ("create_bidirectional_sliding_window_mask", "both"),
    ],
)
def test_masks_with_functions_are_transformers(name: str, kind: str, mask: tuple[Any, ...]) -> None:
    config = configuration(sliding_window=2, attention_chunk_size=2)

    def reference(embeds: Any, blocks: Any, padding: Any = None) -> Any:
        create = getattr(masking_utils, name)
        return overlaid(create, masking_utils, kind, config, embeds, blocks, padding)

    check(
        lambda: Overlaid(config, getattr(masking, name), mask_functions, kind),
        reference,
        EMBEDS,
        BLOCKS,
        *mask,
        gradient=False,
        tolerance=EXACT,
    )
