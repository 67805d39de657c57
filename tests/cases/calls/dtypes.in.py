"""Tensors whose dtype the source says: whole numbers where MindSpore has no kernel for them."""

import torch
from torch import nn


class Model(nn.Module):
    def forward(self, x: torch.Tensor, ids: torch.LongTensor, mask: torch.BoolTensor):
        counts = mask.sum(dim=-1)
        a = torch.exp(ids) + torch.log(counts) + torch.sqrt(ids.float()) + torch.exp(x)
        b = torch.atan2(ids, x).cos()
        c = torch.sigmoid(torch.arange(3)) + torch.sin(torch.arange(3.0))
        d = ~ids, ~mask, ~(x > 0)
        e = mask * 1, (x > 0) * 1, x * 1, ids * 1, 1 * mask
        f = ids.floor(), x.floor(), torch.round(counts)
        values, places = x.max(dim=-1)
        g = torch.log(places), torch.log(values), torch.log(torch.tensor([1, 2]))
        h = torch.fft.rfft(x).abs(), torch.view_as_complex(x).abs()
        i = torch.tanh(ids / 2), torch.tanh(ids // 2), torch.tanh(ids * 2.0), torch.tanh(ids + mask)
        j = torch.tanh(ids if x.ndim > 1 else counts), torch.tanh(ids if x.ndim > 1 else x)
        return a, b, c, d, e, f, g, h, i, j


numbers = torch.tensor([[1, 2], [3, 4]])
roots = torch.sqrt(numbers), numbers.sqrt(), torch.sqrt(numbers.double()), torch.tensor(2).sqrt()
bits = ~numbers, ~(numbers > 2), (numbers > 2) * 1
