"""Report a conversion: every tensor by both names, what was left out and why, what did not fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from porter.types import Finding, PorterError, Position
from porter.weights.dtypes import CastReport

CODES = {
    "PRT501": "unmatched in the checkpoint",
    "PRT502": "unfilled in the Cell",
    "PRT503": "of another shape",
    "PRT504": "of another dtype",
    "PRT506": "tied but unequal",
}


@dataclass(frozen=True, slots=True)
class TensorReport:
    """One tensor that was written: names, layout change, shape and dtype on both sides.

    `sources` are the names in the checkpoint that held it, several for tied weights. `rule` is the
    mapping entry that renamed it. `cast` is None where the bits were kept.
    """

    sources: tuple[str, ...]
    target: str
    transform: str
    rule: str | None
    source_shape: tuple[int, ...]
    shape: tuple[int, ...]
    source_dtype: str
    dtype: str
    cast: CastReport | None = None


@dataclass(frozen=True, slots=True)
class IgnoredTensor:
    """A tensor of the checkpoint that was left out, and the rule that allows it."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class WeightReport:
    """What was read, what was written, and where everything went."""

    checkpoint: Path
    output: Path
    tensors: tuple[TensorReport, ...]
    ignored: tuple[IgnoredTensor, ...]
    size: int
    """Bytes of all written tensors."""

    @property
    def casts(self) -> tuple[TensorReport, ...]:
        """Tensors whose dtype was changed."""
        return tuple(tensor for tensor in self.tensors if tensor.cast is not None)

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain JSON data."""
        data = asdict(self)
        data["checkpoint"], data["output"] = str(self.checkpoint), str(self.output)
        return data

    def summary(self) -> str:
        """Return one line: counts, size, casts."""
        line = f"{len(self.tensors)} tensors, {self.size:,} bytes, in {self.output}"
        if self.ignored:
            line += f"; {len(self.ignored)} of the checkpoint left out"
        if self.casts:
            rounded = sum(tensor.cast.rounded for tensor in self.casts if tensor.cast)
            vanished = sum(tensor.cast.vanished for tensor in self.casts if tensor.cast)
            line += f"; {len(self.casts)} cast: {rounded:,} values rounded, {vanished:,} to zero"
        return line


class WeightsError(PorterError):
    """Say that checkpoint and Cell do not fit; `findings` lists every place."""

    def __init__(self, checkpoint: Path, findings: Sequence[Finding], hint: str | None) -> None:
        self.findings = tuple(findings)
        counts = Counter(finding.code for finding in findings)
        parts = [f"{count} {CODES[code]} ({code})" for code, count in sorted(counts.items())]
        listed = ", ".join(parts)
        message = f"checkpoint and Cell do not fit: {listed}; first: {findings[0].message}"
        super().__init__(
            findings[0].code, message, hint=hint, position=Position(str(checkpoint)), exit_code=1
        )
