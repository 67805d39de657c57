"""Do the work of `porter weights`: describe the Cell, convert or restore, print the result."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.types import PorterError, Position
from porter.weights.convert import Conversion
from porter.weights.describe import CellReference, describe_cell
from porter.weights.location import printable
from porter.weights.report import WeightReport, WeightsError
from porter.weights.restore import Restoration
from porter.weights.selection import Selection
from porter.weights.settings import Settings


@dataclass(frozen=True, slots=True)
class Request:
    """What the command line asks for, apart from what is chosen and how it is written."""

    infer: bool = False
    reverse: bool = False
    force: bool = False
    output_format: str = "text"


def weights_command(
    checkpoint: str,
    output: Path,
    *,
    reference: CellReference,
    selection: Selection,
    settings: Settings,
    request: Request,
) -> int:
    """Convert `checkpoint`, a path or URL, to `output`, or back; return the exit code.

    On stdout go the places that do not fit, the table of a dry run, or the report as JSON; the
    summary goes to stderr.

    Raises PorterError: PRT401 where `output` exists and may not be replaced, PRT703 for arguments
    that exclude each other, and what building, converting and restoring raise.
    """
    _check(output, reference, selection, settings, request)
    try:
        report = _run(checkpoint, output, reference, selection, settings, request)
    except WeightsError as error:
        _print_findings(error, request.output_format)
        print(error, file=sys.stderr)
        return error.exit_code
    _print_report(report, request.output_format)
    return 0


def _run(
    checkpoint: str,
    output: Path,
    reference: CellReference,
    selection: Selection,
    settings: Settings,
    request: Request,
) -> WeightReport:
    if request.reverse:
        restoration = Restoration(Path(checkpoint), output, selection, settings)
        return restoration.run(describe_cell(reference, ()))
    conversion = Conversion(checkpoint, output, selection, settings)
    if request.infer:
        return conversion.infer()
    return conversion.run(describe_cell(reference, conversion.wanted()))


def _check(
    output: Path,
    reference: CellReference,
    selection: Selection,
    settings: Settings,
    request: Request,
) -> None:
    named = reference.cell is not None or reference.port is not None
    if not named and not request.infer:
        hint = "--cell module:Class, --port DIR, or --infer for a guess"
        raise PorterError("PRT703", "no Cell is named", hint=hint)
    if named and request.infer:
        raise PorterError("PRT703", "--infer excludes --cell and --port")
    plain = Selection(
        prefix=selection.prefix if selection.rules else "",
        ignore=selection.ignore if selection.rules else (),
        rules=selection.rules,
    )
    if request.reverse and selection != plain:
        raise PorterError(
            "PRT703",
            "--reverse excludes --dtype, --key and --allow-..., and without --rules --prefix and "
            "--ignore",
        )
    if request.reverse and request.infer:
        raise PorterError("PRT703", "--reverse needs the Cell: a guess cannot be undone")
    if output.exists() and not request.force and not settings.dry_run:
        raise PorterError(
            "PRT401",
            "the output exists",
            hint="--force replaces it",
            position=Position(str(output)),
        )


def _print_findings(error: WeightsError, output_format: str) -> None:
    if output_format == "json":
        findings = [finding.to_json() for finding in error.findings]
        print(json.dumps({"findings": findings, "hint": error.hint}, indent=2, ensure_ascii=False))
        return
    for finding in error.findings:
        print(finding)


def _print_report(report: WeightReport, output_format: str) -> None:
    if output_format == "json":
        print(json.dumps(report.to_json(), indent=2, ensure_ascii=False))
    else:
        if not report.written:
            _print_table(report)
        for finding in report.findings():
            print(finding)
        for tensor in report.ignored:
            print(printable(f"left out: {tensor.source}: {tensor.reason}"))
    print(report.summary(), file=sys.stderr)


def _print_table(report: WeightReport) -> None:
    """Print every tensor by both names, as wide as it takes: no name may be cut."""
    rows: list[tuple[Any, ...]] = [("source", "target", "shape", "dtype", "transform", "rule")]
    for tensor in report.tensors:
        shapes = [str(list(shape)) for shape in (tensor.source_shape, tensor.shape)]
        dtypes = [tensor.source_dtype, tensor.dtype]
        rows.append(
            (
                ", ".join(tensor.sources),
                tensor.target,
                " -> ".join(dict.fromkeys(shapes)),
                " -> ".join(dict.fromkeys(dtypes)),
                tensor.transform,
                tensor.rule or "",
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = (printable(cell).ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())
