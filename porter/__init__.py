"""Carry PyTorch model source and weights to graph-safe MindSpore Cells."""

from __future__ import annotations

__version__ = "0.1.0"
