"""Run a whole recipe: port the source, convert the weights, verify, and sum up in one table."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from porter.build import needed
from porter.parity.report import print_report
from porter.parity.results import ParityReport
from porter.recipe import Recipe
from porter.types import Finding, PortResult, Record, Severity

WEIGHTS_NAME = "weights.safetensors"


@dataclass(frozen=True, slots=True)
class StageRow:
    """One stage of a run: its figures in one line, and whether it holds."""

    stage: str
    figures: str
    passed: bool


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a run made and found. `weights` is None where none could be converted."""

    output: Path
    weights: Path | None
    stages: tuple[StageRow, ...]
    port_findings: tuple[Finding, ...]
    parity: ParityReport
    seconds: float

    @property
    def passed(self) -> bool:
        """Tell whether every stage holds; the exit code is 0 only then, else 1."""
        return all(stage.passed for stage in self.stages)

    @property
    def exit_code(self) -> int:
        """0 where all stages hold, else 1."""
        return 0 if self.passed else 1

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain JSON data."""
        return {
            "output": str(self.output),
            "weights": str(self.weights) if self.weights else None,
            "passed": self.passed,
            "seconds": round(self.seconds, 2),
            "stages": [asdict(stage) for stage in self.stages],
            "port_findings": [finding.to_json() for finding in self.port_findings],
            "parity": self.parity.to_json(),
        }


def run_recipe(
    recipe: Recipe,
    output: Path,
    *,
    force: bool = False,
    work: Path | None = None,
    cases: Sequence[str] = (),
    modes: Sequence[str] = (),
    mappings_directory: Path | None = None,
    record: Record = "never",
    progress: Callable[[str], None] = lambda _task: None,
) -> RunReport:
    """Port the recipe's source into the folder `output`, convert its weights, and verify.

    Verifying executes the source. The converted weights, the recipe's checkpoint or seeded random
    ones, are written to `output`/weights.safetensors. The port stays where verifying fails.
    `record` is that of `porter.parity.verify.verify`.

    Raises PorterError like `porter.port.port_source`, `porter.emit.write.write_port` and
    `porter.parity.verify.verify`.
    """
    from porter.emit.write import check_output, write_port
    from porter.parity.verify import narrowed, verify
    from porter.port import port_source

    started = time.monotonic()
    narrowed(recipe, cases, modes)  # a wrong name is refused before anything is written
    check_output(output, force)
    progress("port")
    result = port_source(
        recipe.source.reference,
        configuration=recipe.build.config,
        also=needed(recipe),
        mappings_directory=mappings_directory,
    )
    port = write_port(result, output, force)
    parity = verify(
        recipe,
        port,
        weights_output=port / WEIGHTS_NAME,
        work=work,
        cases=cases,
        modes=modes,
        mappings_directory=mappings_directory,
        record=record,
        progress=progress,
    )
    return RunReport(
        output=port,
        weights=port / WEIGHTS_NAME if (port / WEIGHTS_NAME).is_file() else None,
        stages=tuple(_stages(recipe, result, parity)),
        port_findings=result.findings,
        parity=parity,
        seconds=time.monotonic() - started,
    )


def _stages(recipe: Recipe, result: PortResult, parity: ParityReport) -> list[StageRow]:
    counts = result.counts
    figures = (
        f"{counts.applied} of {counts.total} places applied, {counts.review} to review, "
        f"{counts.manual} manual"
    )
    stages = [StageRow("port", figures, result.clean)]
    origin = recipe.weights.checkpoint or f"random, seed {recipe.weights.seed}"
    loaded = "mindspore" in parity.versions
    built = "torch" in parity.versions
    figures = f"{parity.parameters:,} parameters, {origin}" if built else ""
    stages.append(StageRow("weights", figures, built and loaded))
    modes = ["graph", "pynative"]
    for stage, chosen in (("outputs", modes), ("export", ["export"])):
        runs = [run for run in parity.runs if run.mode in chosen]
        if stage == "export" and not recipe.verify.export:
            continue
        rows = [row for run in runs for group in run.variants for row in group.outputs]
        worst = max((row.maximum_absolute or 0.0 for row in rows), default=0.0)
        good = sum(not run.code for run in runs)
        figures = f"{good} of {len(runs)} runs, {len(rows)} outputs, largest difference {worst:.2g}"
        stages.append(StageRow(stage, figures, bool(rows) and good == len(runs)))
    if recipe.verify.gradients:
        gradients = [row for run in parity.gradients for row in run.rows]
        good = sum(not row.code for row in gradients)
        skipped = any(": no gradients: " in note for note in parity.notes)
        passed = good == len(gradients) and (skipped or bool(gradients))
        stages.append(StageRow("gradients", f"{good} of {len(gradients)} hold", passed))
    for losses in parity.losses:
        figures = f"{len(losses.port)} steps"
        if losses.largest is not None:
            figures += f", largest relative difference {losses.largest:.2g}"
        stages.append(StageRow("training", figures, not losses.code))
    errors = sum(finding.severity is Severity.ERROR for finding in parity.findings)
    stages.append(StageRow("parity", f"{errors} findings", parity.passed))
    return stages


def print_run(report: RunReport, console: Console) -> None:
    """Print what is wrong with the port, the parity report, and the table of the stages."""
    for finding in report.port_findings:
        if finding.severity is Severity.ERROR:
            console.print(str(finding), markup=False, highlight=False)
    print_report(report.parity, console)
    table = Table(title=f"Run, {report.seconds:.0f} s", title_justify="left")
    for name in ("stage", "figures", "verdict"):
        table.add_column(name, overflow="fold")
    for stage in report.stages:
        verdict = Text("ok", "green") if stage.passed else Text("fails", "bold red")
        table.add_row(stage.stage, stage.figures, verdict)
    console.print(table)
    console.print(f"port: {report.output}", markup=False, highlight=False)
    if report.weights:
        console.print(f"weights: {report.weights}", markup=False, highlight=False)
