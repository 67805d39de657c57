"""Compare the masks with those of transformers' eager attention, to the bit."""

# mypy: allow-subclassing-any

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import mindspore as ms
import numpy as np
import pytest
import torch
from mindspore import Tensor, nn
from transformers import Blip2QFormerConfig, masking_utils

from porter.runtime import masking

from .support import MODES, check, floats, prepare, set_mode

PADDED = np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]], np.int64)
EMBEDS = floats(2, 5, 3)
ENCODER = floats(2, 7, 3)
ENCODER_PADDED = np.array([[1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 0]], np.float32)
PACKED = np.array([[0, 1, 2, 0, 1], [0, 1, 2, 3, 4]], np.int64)
EXACT = {"rtol": 0.0, "atol": 0.0}


class Bidirectional(nn.Cell):
    """Build the mask as a ported model does, with the configuration on the cell."""

    def __init__(self, config: Any, **options: Any) -> None:
        super().__init__()
        self.config = config
        self.options = options

    def construct(
        self, embeds: Tensor, attention_mask: Any = None, encoder_hidden_states: Any = None
    ) -> Any:
        return masking.create_bidirectional_mask(
            config=self.config,
            inputs_embeds=embeds,
            attention_mask=attention_mask,
            encoder_hidden_states=encoder_hidden_states,
            **self.options,
        )


class Causal(nn.Cell):
    """Build a causal mask, with a window where asked for."""

    def __init__(self, config: Any, create: Callable[..., Any], **options: Any) -> None:
        super().__init__()
        self.config = config
        self.create = create
        self.options = options

    def construct(
        self, embeds: Tensor, attention_mask: Any = None, position_ids: Any = None
    ) -> Any:
        return self.create(
            config=self.config,
            inputs_embeds=embeds,
            attention_mask=attention_mask,
            position_ids=position_ids,
            **self.options,
        )


def configuration(**attributes: Any) -> Any:
    return SimpleNamespace(_attn_implementation="eager", **attributes)


@pytest.mark.parametrize(
    ("arrays", "options"),
    [
        ((EMBEDS, PADDED), {}),
        ((EMBEDS, PADDED > 0), {}),
        ((EMBEDS.astype(np.float16), PADDED), {}),
        ((EMBEDS.astype(np.float64), PADDED.astype(np.float32)), {}),
        ((EMBEDS, ENCODER_PADDED, ENCODER), {}),
        ((EMBEDS, None, ENCODER), {"allow_is_bidirectional_skip": False}),
        ((EMBEDS,), {"allow_is_bidirectional_skip": False}),
    ],
)
def test_bidirectional_mask_is_transformers(
    arrays: tuple[Any, ...], options: dict[str, Any]
) -> None:
    config = Blip2QFormerConfig(attn_implementation="eager")

    def reference(embeds: Any, mask: Any = None, encoder: Any = None) -> Any:
        made = masking_utils.create_bidirectional_mask(
            config, embeds, mask, encoder_hidden_states=encoder, **options
        )
        if options:
            return made
        # Ours has one row for all queries, also where a model attends with some of them only.
        assert torch.equal(made, made[:, :, :1].expand_as(made))
        return made[:, :, :1]

    check(
        lambda: Bidirectional(config, **options),
        reference,
        *arrays,
        gradient=False,
        tolerance=EXACT,
    )


class Near(Bidirectional):
    """Build the mask with a window on both sides."""

    def construct(
        self, embeds: Tensor, attention_mask: Any = None, encoder_hidden_states: Any = None
    ) -> Any:
        return masking.create_bidirectional_sliding_window_mask(
            config=self.config,
            inputs_embeds=embeds,
            attention_mask=attention_mask,
            encoder_hidden_states=encoder_hidden_states,
        )


@pytest.mark.parametrize("arrays", [(EMBEDS,), (EMBEDS, PADDED), (EMBEDS, ENCODER_PADDED, ENCODER)])
@pytest.mark.parametrize("window", [1, 2])
def test_window_on_both_sides_is_transformers(arrays: tuple[Any, ...], window: int) -> None:
    config = Blip2QFormerConfig(attn_implementation="eager")
    config.sliding_window = window

    def reference(embeds: Any, mask: Any = None, encoder: Any = None) -> Any:
        return masking_utils.create_bidirectional_sliding_window_mask(
            config, embeds, mask, encoder_hidden_states=encoder, allow_is_bidirectional_skip=False
        )

    check(
        lambda: Near(configuration(sliding_window=window)),
        reference,
        *arrays,
        gradient=False,
        tolerance=EXACT,
    )


@pytest.mark.parametrize("mode", MODES)
def test_bidirectional_mask_is_none_without_padding(mode: str) -> None:
    cell = Masked(Bidirectional(configuration()))
    inputs = [Tensor(EMBEDS)]
    assert prepare(cell, mode, inputs)(*inputs).asnumpy() == 1


class Masked(nn.Cell):
    """Tell inside the graph whether there is a mask: STRICT syntax cannot return None."""

    def __init__(self, cell: nn.Cell) -> None:
        super().__init__()
        self.cell = cell

    def construct(self, embeds: Tensor) -> Tensor:
        if self.cell(embeds) is None:
            return Tensor(1)
        return Tensor(0)


@pytest.mark.parametrize("mode", MODES)
def test_prepared_mask_is_returned(mode: str) -> None:
    prepared = floats(2, 1, 5, 5)
    check(
        lambda: Bidirectional(configuration()),
        lambda _, mask: mask,
        EMBEDS,
        prepared,
        modes=(mode,),
        gradient=False,
        tolerance=EXACT,
    )


@pytest.mark.parametrize(
    "arrays",
    [
        (EMBEDS,),
        (EMBEDS, PADDED),
        (EMBEDS.astype(np.float16), ENCODER_PADDED),
        (EMBEDS, None, PACKED),
        (EMBEDS, None, np.arange(5)[None]),
    ],
)
@pytest.mark.parametrize("window", [None, 2])
def test_causal_mask_is_transformers(arrays: tuple[Any, ...], window: int | None) -> None:
    name = "create_causal_mask" if window is None else "create_sliding_window_causal_mask"
    config = configuration() if window is None else configuration(sliding_window=window)

    def reference(embeds: Any, mask: Any = None, positions: Any = None) -> Any:
        return getattr(masking_utils, name)(config, embeds, mask, None, position_ids=positions)

    check(
        lambda: Causal(config, getattr(masking, name)),
        reference,
        *arrays,
        gradient=False,
        tolerance=EXACT,
    )


def test_configuration_without_causality_gives_a_bidirectional_mask() -> None:
    config = configuration(is_causal=False)
    check(
        lambda: Causal(config, masking.create_causal_mask),
        lambda embeds, mask: masking_utils.create_causal_mask(config, embeds, mask, None)[:, :, :1],
        EMBEDS,
        PADDED,
        gradient=False,
        tolerance=EXACT,
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cache": 1}, "key-value caches"),
        ({"past_key_values": 1}, "key-value caches"),
    ],
)
@pytest.mark.parametrize("mode", ["strict", "lax", "pynative"])
def test_unsupported_arguments_are_refused(
    mode: str, options: dict[str, Any], message: str
) -> None:
    cell = Causal(configuration(), masking.create_causal_mask, **options)
    inputs = [Tensor(EMBEDS)]
    with pytest.raises(ValueError, match=message):
        prepare(cell, mode, inputs)(*inputs)


@pytest.mark.parametrize("mode", MODES)
def test_mask_of_three_axes_is_refused(mode: str) -> None:
    cell = Bidirectional(configuration())
    inputs = [Tensor(EMBEDS), Tensor(floats(2, 5, 5))]
    with pytest.raises(ValueError, match="two or four axes"):
        prepare(cell, mode, inputs)(*inputs)


LEFT_PADDED = np.array([[0, 1, 1, 1, 1], [0, 0, 1, 0, 1]], np.int64)


@pytest.mark.parametrize("arrays", [(EMBEDS,), (EMBEDS, PADDED), (EMBEDS, LEFT_PADDED)])
@pytest.mark.parametrize("size", [2, 3, 8])
def test_mask_of_chunks_is_transformers(arrays: tuple[Any, ...], size: int) -> None:
    config = configuration(attention_chunk_size=size)

    def reference(embeds: Any, mask: Any = None) -> Any:
        return masking_utils.create_chunked_causal_mask(config, embeds, mask, None)

    check(
        lambda: Causal(config, masking.create_chunked_causal_mask),
        reference,
        *arrays,
        gradient=False,
        tolerance=EXACT,
    )


@pytest.mark.parametrize("mode", ["strict", "pynative"])
def test_window_missing_from_the_configuration_is_refused(mode: str) -> None:
    cell = Causal(configuration(), masking.create_sliding_window_causal_mask)
    inputs = [Tensor(EMBEDS)]
    with pytest.raises(ValueError, match="no sliding_window"):
        prepare(cell, mode, inputs)(*inputs)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (ms.float16, torch.float16),
        (ms.bfloat16, torch.bfloat16),
        (ms.float32, torch.float32),
    ],
)
def test_lowest_number_is_torchs(ours: Any, theirs: torch.dtype) -> None:
    assert masking.min_value(ours) == torch.finfo(theirs).min


@pytest.mark.parametrize("dtype", [ms.int32, ms.float64])
def test_lowest_number_that_is_no_constant_is_refused(dtype: Any) -> None:
    with pytest.raises(TypeError, match=r"finfo|float64"):
        masking.min_value(dtype)


class Extended(nn.Cell):
    """Extend a mask to all heads."""

    def construct(self, mask: Tensor) -> Tensor:
        return masking.get_extended_attention_mask(mask, ms.float32)


@pytest.mark.parametrize("mask", [PADDED, np.tril(np.ones((2, 5, 5), np.int64))])
def test_extended_mask_hides_what_is_zero(mask: np.ndarray[Any, Any]) -> None:
    heads = (slice(None), *(None,) * (4 - mask.ndim))
    check(
        Extended,
        lambda given: (1.0 - given[heads].float()) * torch.finfo(torch.float32).min,
        mask,
        gradient=False,
        tolerance=EXACT,
    )


class Recurrent(nn.Cell):
    """Build the padding mask; 0 where there is none."""

    def construct(self, embeds: Tensor, attention_mask: Any = None) -> Any:
        mask = masking.create_recurrent_attention_mask(embeds, attention_mask)
        return ms.ops.zeros((1,), ms.float32) if mask is None else mask


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("length", "attention_mask"),
    [(5, PADDED), (3, PADDED), (1, PADDED), (5, None), (5, PADDED[:, None, None])],
)
def test_recurrent_mask(mode: str, length: int, attention_mask: Any) -> None:
    set_mode(mode)
    source = torch.from_numpy(EMBEDS[:, :length])
    given = None if attention_mask is None else torch.from_numpy(attention_mask)
    expected = masking_utils.create_recurrent_attention_mask(None, source, given)
    actual = Recurrent()(
        Tensor(EMBEDS[:, :length]), None if attention_mask is None else Tensor(attention_mask)
    )
    wanted = np.zeros((1,), np.float32) if expected is None else expected.numpy()
    assert actual.asnumpy().dtype == wanted.dtype
    np.testing.assert_array_equal(actual.asnumpy(), wanted)
