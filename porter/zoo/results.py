"""Hold what became of the models of a zoo, and judge a run of one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from porter.parity.results import ParityReport, RunRow
from porter.run import RunReport
from porter.types import Applicability, Finding, Severity

STAGES = {
    "ported": "No place was left to be done by hand",
    "imports": "The port is imported where torch is not installed",
    "builds": "The Cell is built from its configuration",
    "weights": "Every weight of PyTorch and every Parameter has its counterpart",
    "strict": "Compiles and runs in GRAPH_MODE with STRICT syntax",
    "lax": "Compiles and runs in GRAPH_MODE with LAX syntax",
    "parity": "Every output is PyTorch's in GRAPH_MODE, STRICT or LAX",
    "dynamic": "One graph gives PyTorch's outputs for batches of two sizes",
}
"""What a model goes through, in order, and what each stage says."""

SILENT = ("PRT601", "PRT602", "PRT603", "PRT605", "PRT612")
"""Another shape, dtype, value or structure than PyTorch's, and no error."""
_RAISED = ("PRT606", "PRT608")


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a model went no further: a code, a message, and a place where there is one."""

    code: str
    message: str
    position: str = ""

    @property
    def kind(self) -> str:
        """The message without what differs from model to model: names, numbers, paths."""
        text = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", "'…'", self.message)
        return f"{self.code} {re.sub(r'[0-9]+', 'N', text)}"[:160]


@dataclass(frozen=True, slots=True)
class ModelResult:
    """What became of one model.

    `stages` tells for each of STAGES whether it was passed, None where it was not reached.
    `findings` are the errors that porting reported, `failures` what verifying found; `reference`
    tells whether PyTorch's own side ran. `seconds` is
    the time of the whole model, `peak_bytes` the largest resident memory of all its processes
    together.
    """

    identifier: str
    package: str
    class_name: str
    stages: Mapping[str, bool | None]
    findings: tuple[Cause, ...] = ()
    failures: tuple[Cause, ...] = ()
    reference: bool = True
    difference: float | None = None
    seconds: float = 0.0
    peak_bytes: int = 0

    @property
    def passed(self) -> bool:
        """Tell whether the port gives PyTorch's outputs."""
        return bool(self.stages["parity"])

    @property
    def verdict(self) -> str:
        """Return "parity", or how the port fails.

        "said": with an error at port time; "loud": without one, by raising; "silent": without one,
        by other values; "reference": PyTorch's side did not run.
        """
        if self.passed:
            return "parity"
        if not self.reference:
            return "reference"
        if self.findings:
            return "said"
        return "silent" if any(cause.code in SILENT for cause in self.failures) else "loud"

    @property
    def cause(self) -> Cause | None:
        """The first thing that went wrong; None where nothing did."""
        if self.passed:
            return None
        return next(iter([*self.findings, *self.failures]), None)

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON data."""
        return {**asdict(self), "verdict": self.verdict}


def from_json(data: Mapping[str, Any]) -> ModelResult:
    """Read what `ModelResult.to_json` wrote."""
    values = {key: value for key, value in data.items() if key != "verdict"}
    for key in ("findings", "failures"):
        values[key] = tuple(Cause(**cause) for cause in values[key])
    return ModelResult(**values)


@dataclass(frozen=True, slots=True)
class ZooReport:
    """What became of all models of a zoo."""

    zoo: str
    models: tuple[ModelResult, ...]
    versions: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Tell whether every model is in parity."""
        return all(model.passed for model in self.models)

    def count(self, verdict: str) -> int:
        """Return how many models have a verdict."""
        return sum(model.verdict == verdict for model in self.models)

    def stage_counts(self) -> dict[str, int]:
        """Return how many models passed each stage."""
        return {name: sum(bool(m.stages[name]) for m in self.models) for name in STAGES}

    def causes(self) -> dict[str, list[ModelResult]]:
        """Return the models that are not in parity by the kind of their first cause."""
        groups: dict[str, list[ModelResult]] = {}
        for model in self.models:
            if model.cause is not None:
                groups.setdefault(model.cause.kind, []).append(model)
        return dict(sorted(groups.items(), key=lambda item: -len(item[1])))

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON data."""
        return {
            "zoo": self.zoo,
            "passed": self.passed,
            "seconds": round(self.seconds, 1),
            "versions": dict(self.versions),
            "stages": self.stage_counts(),
            "models": [model.to_json() for model in self.models],
            "causes": {
                kind: [model.identifier for model in models]
                for kind, models in self.causes().items()
            },
        }


def judge(run: RunReport) -> dict[str, bool | None]:
    """Return the stages that a run passed."""
    parity = run.parity
    codes = {finding.code for finding in parity.findings}
    left = any(f.applicability is Applicability.MANUAL for f in _errors(run.port_findings))
    stages: dict[str, bool | None] = dict.fromkeys(STAGES)
    stages["ported"] = not left
    if "torch" in parity.versions:
        loaded = "mindspore" in parity.versions
        stages["imports"] = loaded or "PRT705" not in codes
        if stages["imports"]:
            stages["builds"] = loaded or "PRT704" not in codes
        if stages["builds"]:
            stages["weights"] = loaded
        if loaded:
            stages.update(_run_stages(parity))
    return stages


def reference_ran(run: RunReport) -> bool:
    """Tell whether PyTorch built the model, and ran it with the inputs."""
    parity = run.parity
    failed = any(finding.code == "PRT609" for finding in parity.findings)
    return "torch" in parity.versions and not (failed and not parity.compared)


def _run_stages(parity: ParityReport) -> dict[str, bool | None]:
    def chosen(shapes: str, syntax: str | None = None) -> list[RunRow]:
        return [run for run in parity.runs if run.shapes == shapes and syntax in (None, run.syntax)]

    def compiles(syntax: str) -> bool | None:
        runs = chosen("static", syntax)
        return all(run.code not in _RAISED for run in runs) if runs else None

    dynamic = chosen("dynamic")
    return {
        "strict": compiles("STRICT"),
        "lax": compiles("LAX"),
        "parity": any(not run.code for run in chosen("static")),
        "dynamic": any(not run.code for run in dynamic) if dynamic else None,
    }


def _errors(findings: Iterable[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.severity is Severity.ERROR]


def causes_of(findings: Iterable[Finding]) -> tuple[Cause, ...]:
    """Return the errors among findings."""
    return tuple(
        Cause(finding.code, finding.message, str(finding.position)) for finding in _errors(findings)
    )
