# mypy: ignore-errors
"""Hold a small Q-Former in PyTorch, in which the location tests plant faults."""

from __future__ import annotations

import math

import torch
from torch import nn


class Attention(nn.Module):
    """Attend from the queries to themselves, or to the features of an image."""

    def __init__(self, width: int, heads: int, source_width: int) -> None:
        super().__init__()
        self.heads = heads
        self.size = width // heads
        self.scale = 1.0 / math.sqrt(self.size)
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(source_width, width)
        self.value = nn.Linear(source_width, width)

    def split(self, x: torch.Tensor) -> torch.Tensor:
        return x.view(x.shape[0], x.shape[1], self.heads, self.size).transpose(1, 2)

    def forward(self, hidden: torch.Tensor, source: torch.Tensor, mask: torch.Tensor | None = None):
        query = self.split(self.query(hidden))
        key = self.split(self.key(source))
        value = self.split(self.value(source))
        scores = torch.matmul(query, key.transpose(-1, -2)) * self.scale
        if mask is not None:
            scores = scores.masked_fill(mask[:, None, None, :] == 0, -1e30)
        weights = torch.softmax(scores, dim=-1)
        context = torch.matmul(weights, value).transpose(1, 2)
        return context.reshape(hidden.shape[0], hidden.shape[1], -1)


class Output(nn.Module):
    """Project, drop, and add to what came in."""

    def __init__(self, inner: int, width: int) -> None:
        super().__init__()
        self.dense = nn.Linear(inner, width)
        self.dropout = nn.Dropout(0.1)
        self.norm = nn.LayerNorm(width, eps=1e-12)

    def forward(self, hidden: torch.Tensor, residual: torch.Tensor) -> torch.Tensor:
        hidden = self.dense(hidden)
        hidden = self.dropout(hidden)
        return self.norm(hidden + residual)


class AttentionBlock(nn.Module):
    """Attention with its output."""

    def __init__(self, width: int, heads: int, source_width: int) -> None:
        super().__init__()
        self.attention = Attention(width, heads, source_width)
        self.output = Output(width, width)

    def forward(self, hidden: torch.Tensor, source: torch.Tensor, mask: torch.Tensor | None = None):
        return self.output(self.attention(hidden, source, mask), hidden)


class FeedForward(nn.Module):
    """Two layers with an activation between."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.dense = nn.Linear(width, 2 * width)
        self.activation = nn.GELU()
        self.output = Output(2 * width, width)

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        return self.output(self.activation(self.dense(hidden)), hidden)


class Layer(nn.Module):
    """Self-attention, cross-attention and feed-forward."""

    def __init__(self, width: int, heads: int, source_width: int) -> None:
        super().__init__()
        self.own = AttentionBlock(width, heads, width)
        self.cross = AttentionBlock(width, heads, source_width)
        self.feed_forward = FeedForward(width)

    def forward(self, hidden: torch.Tensor, image: torch.Tensor, mask: torch.Tensor):
        attended = self.own(hidden, hidden)
        crossed = self.cross(attended, image, mask)
        return self.feed_forward(crossed)


class QFormer(nn.Module):
    """Turn the features of an image into those of a few learned queries."""

    def __init__(self, width: int, heads: int, source_width: int, queries: int, depth: int):
        super().__init__()
        self.queries = nn.Parameter(torch.zeros(1, queries, width))
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(0.1)
        self.layers = nn.ModuleList([Layer(width, heads, source_width) for _ in range(depth)])
        self.pooler = nn.Linear(width, width)

    def forward(self, image: torch.Tensor, mask: torch.Tensor):
        queries = self.queries.expand(image.shape[0], -1, -1)
        hidden = self.dropout(self.norm(queries))
        for layer in self.layers:
            hidden = layer(hidden, image, mask)
        return hidden, torch.tanh(self.pooler(hidden[:, 0]))
