"""Tensors and other values that modules hold, give and pass to one another."""

import math
from dataclasses import dataclass
from functools import partial

import torch
from torch import nn


class Norm(nn.LayerNorm):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x).add(0)


class Positions(nn.Embedding):
    def forward(self, ids, offset=0):
        return super().forward(ids + offset)


class Projection(nn.Linear):
    def forward(self, x):
        return (x @ self.weight.T).add(self.bias)


class Attention(nn.Module):
    scale = 0.5
    kind = "self attention"

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width) if heads > 1 else nn.Identity()
        self.register_buffer("mask", torch.tril(torch.ones(8, 8)), persistent=False)
        self.register_buffer("angles", self.make_angles(width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.words = self.kind.split(" ")
        self.last = None
        self.steps = []

    @staticmethod
    def make_angles(width):
        return torch.arange(0, width, 2).to(torch.float32).add(1)

    def split_heads(self, x):
        return x.view(x.size(0), x.size(1), self.heads, -1).transpose(1, 2)

    def weights(self, query, key, mask=None):
        scores = torch.matmul(query, key.transpose(-1, -2)).mul(self.scale)
        if mask is not None:
            scores = scores.add(mask.to(scores.dtype))
        return scores.softmax(-1), scores

    @property
    def angle(self):
        return self.angles.sum()

    def forward(self, hidden, mask=None):
        query = self.split_heads(self.query(hidden))
        key = self.split_heads(self.norm(hidden))
        probabilities, scores = self.weights(query, key, mask)
        causal = self.mask[: scores.size(-1), : scores.size(-1)].to(scores.dtype)
        context = (probabilities.mul(causal) @ query).transpose(1, 2)
        self.last = context
        self.steps.append("attention")
        self.words.sort()
        if "self" in self.kind.split(" "):
            context = context.add(self.angle.mul(0))
        out = context.reshape(hidden.shape)
        return out.add(self.bias.view(1, 1, -1)), probabilities

    def again(self):
        self.steps.sort()
        return self.last.split(1), self.steps[0].replace("a", "b")


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.attention = Attention(width, 2)
        self.mlp = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, width))
        self.norms = nn.ModuleDict({"first": Norm(width), "second": Norm(width)})

    def forward(self, x, mask=None):
        attended, weights = self.attention(x, mask)
        x = self.norms["first"](x.add(attended))
        return self.norms["second"](x.add(self.mlp(x).mul(2))), weights


@dataclass
class Result:
    hidden: torch.Tensor
    weights: list
    kept: torch.Tensor | None = None


class Encoder(nn.Module):
    def __init__(self, width: int, layers: int, names="first second"):
        super().__init__()
        self.blocks = nn.ModuleList([Block(width) for _ in range(layers)])
        self.more = nn.ModuleList()
        for _ in range(2):
            self.more.append(Projection(width, width))
        self.names = names.split(" ")
        self.positions = Positions(16, width)
        norm = partial(nn.LayerNorm, eps=1e-6)
        self.norm = norm(width)
        self.table = {"first": torch.ones(width)}
        for index, name in enumerate(self.names):
            self.register_buffer(f"{name}_scale", torch.full((width,), float(index + 1)))
            setattr(self, f"layer{index}", nn.Linear(width, width))

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None, keep=False):
        weights, states = [], ()
        x = x.add(self.positions(torch.arange(x.size(1))).unsqueeze(0))
        for block in self.blocks:
            x, probabilities = block(x, mask)
            weights.append(probabilities)
            states += (x,)
        for index, layer in enumerate(self.more):
            x = layer(x)
            x = x.sub(index)
        x = self.blocks[0](x)[0].add(1)
        for name in self.names:
            scale = getattr(self, f"{name}_scale")
            x = x.mul(scale.to(x.dtype))
            name.index("s")
        for index in range(2):
            x = getattr(self, f"layer{index}")(x).sub(1)
        first = self.table["first"].repeat(2)
        ordered = [item.sort(dim=-1) for item in weights]
        kept = states[-1].split(1) if keep else None
        total = sum(weight.sum() for weight in weights).add(len(ordered))
        return Result(hidden=self.norm(x).add(total * 0 + first.mean() * 0), weights=weights, kept=x)


class Head(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.encoder = Encoder(width, 2)
        self.act = nn.ReLU()
        self.scale = math.sqrt(width)
        self.cells = nn.ModuleList(nn.Linear(width, width) for _ in range(2))

    def forward(self, x, mask=None):
        result = self.encoder(x, mask=mask, keep=True)
        hidden = result.hidden.div(self.scale)
        for weight in result.weights:
            weight.split(1)
        kept = result.kept.add(1)
        for cell, name in zip(self.cells, self.encoder.names):
            hidden = self.act(cell(hidden)).add(1)
            name.split("i")
        parameter = next(self.parameters())
        hidden = hidden.to(parameter.dtype).to(device=x.device)
        for name, value in self.named_parameters():
            name.split(".")
            value.sum()
        state = self.state_dict()
        state["scale"] = hidden
        state["scale"].add(1)
        return hidden.split(1), kept.split(1)


def run():
    torch.manual_seed(0)
    head = Head(4)
    x = torch.rand(2, 3, 4)
    head(x)
    head(x, torch.zeros(3, 3))
    head.encoder.blocks[0].attention.again()
