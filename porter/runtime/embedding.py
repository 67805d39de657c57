"""Look rows up in a table as torch does, without a gradient for the row of padding."""

# ruff: noqa: A002
# mypy: allow-subclassing-any

from __future__ import annotations

from typing import Any

from mindspore import Parameter, Tensor, nn, ops

from .parameters import only_float32


class Embedding(nn.Embedding):
    """Hold a table whose row `padding_idx` starts as zeros and gets no gradient.

    A table without such a row, for `None`, is MindSpore's own.
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,  # noqa: ARG002
        scale_grad_by_freq: bool = False,
        sparse: bool = False,  # noqa: ARG002
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device: Any = None,  # noqa: ARG002
        dtype: Any = None,
    ) -> None:
        only_float32(dtype)
        if max_norm is not None or scale_grad_by_freq:
            raise ValueError("an Embedding with max_norm or scale_grad_by_freq is not supported")
        row = None if padding_idx is None else padding_idx % num_embeddings
        super().__init__(num_embeddings, embedding_dim, padding_idx=row)
        if _weight is not None:
            self.embedding_table.set_data(_weight)
        self.embedding_table.requires_grad = not _freeze
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim

    @property
    def weight(self) -> Parameter:
        """The table, by the name that torch has for it."""
        return self.embedding_table

    def construct(self, input: Tensor) -> Tensor:
        return embedding(input, self.embedding_table, self.padding_idx)


def embedding(input: Tensor, weight: Tensor, padding_idx: int | None = None) -> Tensor:
    """Return the rows that the indices name; the row of padding gets no gradient."""
    rows = ops.gather(weight, input, 0)
    if padding_idx is None:
        return rows
    padding = (input == padding_idx % weight.shape[0]).expand_dims(-1)
    return ops.where(padding, ops.stop_gradient(rows), rows)


def embedding_bag(
    input: Tensor,
    weight: Tensor,
    mode: str = "mean",
    per_sample_weights: Tensor | None = None,
    padding_idx: int | None = None,
) -> Tensor:
    """Return the sum, mean or maximum of the rows that each row of `input` names.

    Raises ValueError for weights beside another mode than sum.
    """
    rows = ops.gather(weight, input, 0)
    kept = ops.ones_like(input) > 0
    if padding_idx is not None:
        kept = input != padding_idx % weight.shape[0]
    kept = kept.expand_dims(-1)
    if mode == "max":
        lowest = ops.where(kept, rows, ops.full_like(rows, float("-inf")))
        return ops.where(ops.any(kept, 1), ops.amax(lowest, 1), 0.0)
    if per_sample_weights is not None:
        if mode != "sum":
            raise ValueError("per_sample_weights are for mode sum")
        rows = rows * per_sample_weights.expand_dims(-1)
    total = ops.sum(ops.where(kept, rows, ops.zeros_like(rows)), 1)
    if mode == "sum":
        return total
    if mode != "mean":
        raise ValueError(f"mode is sum, mean or max, not {mode!r}")
    return total / ops.clamp(ops.sum(kept.astype(weight.dtype), 1), min=1.0)
