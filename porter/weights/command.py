"""Do the work of `porter weights`: build the Cell, convert or restore, print the result."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from porter.mapping.load import load_mappings
from porter.types import PorterError, Position
from porter.weights.cell import build_cell
from porter.weights.convert import convert_weights
from porter.weights.report import WeightReport, WeightsError
from porter.weights.restore import restore_weights


def weights_command(
    checkpoint: Path,
    output: Path,
    *,
    cell: str | None = None,
    config: Path | None = None,
    port: Path | None = None,
    dtype: str | None = None,
    prefix: str = "",
    ignore: Sequence[str] = (),
    reverse: bool = False,
    force: bool = False,
    output_format: Literal["text", "json"] = "text",
    mappings_directory: Path | None = None,
) -> int:
    """Convert `checkpoint` to `output`, or back with `reverse`; return the exit code.

    `cell`, `port` and `config` name the Cell as `porter.weights.cell.build_cell` reads them; the
    other arguments are those of `convert_weights`. On stdout go the places that do not fit, or with
    `output_format` "json" the report; the summary goes to stderr.

    Raises PorterError: PRT401 where `output` exists without `force`, PRT703 for arguments that
    exclude each other, and what building, converting and restoring raise.
    """
    if cell is None and port is None:
        raise PorterError("PRT703", "no Cell is named", hint="--cell module:Class or --port DIR")
    if reverse and (dtype or prefix or ignore):
        raise PorterError("PRT703", "--reverse excludes --dtype, --prefix and --ignore")
    if output.exists() and not force:
        raise PorterError(
            "PRT401",
            "the output exists",
            hint="--force replaces it",
            position=Position(str(output)),
        )
    mapping = load_mappings(mappings_directory)
    built = build_cell(cell, port, config)
    try:
        if reverse:
            report = restore_weights(checkpoint, output, cell=built, mapping=mapping)
        else:
            report = convert_weights(
                checkpoint,
                output,
                cell=built,
                mapping=mapping,
                dtype=dtype,
                prefix=prefix,
                ignore=ignore,
            )
    except WeightsError as error:
        _print_findings(error, output_format)
        print(error, file=sys.stderr)
        return error.exit_code
    _print_report(report, output_format)
    return 0


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
        for finding in report.findings():
            print(finding)
        for tensor in report.ignored:
            print(f"left out: {tensor.source}: {tensor.reason}")
    print(report.summary(), file=sys.stderr)
