"""Calls inside calls."""

import torch
import torch.nn.functional as F


def inner_most(x: torch.Tensor, y: torch.Tensor):
    return torch.cat([torch.relu(x), torch.transpose(y, 0, 1)], dim=-1)


def method_on_call(x: torch.Tensor):
    return F.gelu(x).view(1, -1)


def method_on_method(x: torch.Tensor):
    return x.transpose(1, 2).contiguous().view(x.size(0), -1).unsqueeze(1)


def call_on_method(x: torch.Tensor):
    return torch.matmul(x.permute(0, 2, 1), F.softmax(x, dim=-1)).sum(dim=1)


def in_index(x: torch.Tensor):
    return x[torch.arange(x.size(0)), :, x.shape[1] - 1 :]


def in_keyword(x: torch.Tensor, y: torch.Tensor):
    return F.dropout(torch.add(x, y), p=0.1, training=True)


def same_twice(x: torch.Tensor):
    return torch.mul(torch.mul(x, x), torch.mul(x, x))
