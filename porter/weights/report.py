"""Report a conversion: every tensor by both names, what was left out and why, what did not fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from porter.types import Applicability, Finding, PorterError, Position, Severity
from porter.weights.dtypes import CastReport

CODES = {
    "PRT501": "unmatched in the checkpoint",
    "PRT502": "unfilled in the Cell",
    "PRT503": "of another shape",
    "PRT504": "of another dtype",
    "PRT506": "tied but unequal",
    "PRT510": "rules without effect",
}


@dataclass(frozen=True, slots=True)
class TensorReport:
    """One tensor that was written: names, layout change, shape and dtype on both sides.

    `sources` are the names in the checkpoint that held it, several for tied weights, which `tied`
    lists, and where it was joined of parts. `transform`
    is spelled from torch to MindSpore also where a checkpoint is restored, which undoes it. `rule`
    is the mapping entry that renamed it. `cast` is None where the bits were kept.
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
    tied: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IgnoredTensor:
    """A tensor of the checkpoint that was left out, and the rule that allows it."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class WeightReport:
    """What was read, what was written, and where everything went."""

    checkpoint: Path | str
    output: Path
    tensors: tuple[TensorReport, ...]
    ignored: tuple[IgnoredTensor, ...]
    size: int
    """Bytes of all written tensors."""
    files: tuple[str, ...] = ()
    """Names of the files that hold them."""
    notes: tuple[Finding, ...] = ()
    """What was allowed though it does not fit, or guessed."""
    wrapper: str = ""
    """The prefix that every name had, and that was cut off."""
    written: bool = True

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain JSON data."""
        data = asdict(self)
        data["checkpoint"], data["output"] = str(self.checkpoint), str(self.output)
        del data["notes"]
        data["findings"] = [finding.to_json() for finding in self.findings()]
        return data

    def findings(self) -> tuple[Finding, ...]:
        """Return what is worth knowing of a conversion that fits: lossy casts and tied weights."""
        position = Position(str(self.checkpoint))
        found = list(self.notes)
        for tensor in self.tensors:
            first = tensor.sources[0]
            for other in tensor.tied:
                message = f"{other} is tied to {first}: both are Parameter {tensor.target}"
                applied, note = Applicability.APPLIED, Severity.NOTE
                found.append(Finding("PRT506", position, message, applied, note))
            if tensor.cast is not None and tensor.cast.rounded:
                message = (
                    f"{first}: {tensor.source_dtype} becomes {tensor.dtype}: "
                    f"{tensor.cast.rounded:,} values rounded, {tensor.cast.vanished:,} to zero, "
                    f"greatest error {tensor.cast.greatest_error:.3g}"
                )
                review, warning = Applicability.REVIEW, Severity.WARNING
                found.append(Finding("PRT504", position, message, review, warning))
        return tuple(found)

    def summary(self) -> str:
        """Return one line: counts, size, casts."""
        verb = "in" if self.written else "would be in"
        line = f"{len(self.tensors)} tensors, {self.size:,} bytes, {verb} {self.output}"
        if len(self.files) > 1:
            line += f" ({len(self.files)} files)"
        if self.wrapper:
            line += f"; names taken below {self.wrapper}"
        if self.ignored:
            line += f"; {len(self.ignored)} of the checkpoint left out"
        cast = sum(tensor.cast is not None for tensor in self.tensors)
        return f"{line}; {cast} cast to another dtype" if cast else line


class WeightsError(PorterError):
    """Say that checkpoint and Cell do not fit; `findings` lists every place."""

    def __init__(
        self, checkpoint: Path | str, findings: Sequence[Finding], hint: str | None
    ) -> None:
        self.findings = tuple(findings)
        counts = Counter(finding.code for finding in findings)
        parts = [f"{count} {CODES[code]} ({code})" for code, count in sorted(counts.items())]
        listed = ", ".join(parts)
        message = f"checkpoint and Cell do not fit: {listed}; first: {findings[0].message}"
        super().__init__(
            findings[0].code, message, hint=hint, position=Position(str(checkpoint)), exit_code=1
        )
