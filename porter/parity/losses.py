"""Train both sides with the source's own function, and compare the loss of each step."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from porter.parity.fields import Fields, bad_value
from porter.parity.inputs import check_input
from porter.parity.results import LossRun
from porter.parity.worker import Outcome
from porter.types import Finding, PorterError, Position

TOLERANCE = 1e-3
REFERENCE_TASK = "train"
CANDIDATE_TASK = "losses"


@dataclass(frozen=True, slots=True)
class Training:
    """A function of the source that trains a model: `function(model, **inputs)` gives the losses.

    The losses of a step agree where |port - torch| <= tolerance * |torch|.
    """

    function: str
    inputs: dict[str, Any]
    tolerance: float


def training_section(fields: Fields) -> Training:
    """Read the section [training] of a recipe. Raises PorterError PRT702 and PRT703."""
    training = Training(
        function=fields.required_text("function"),
        inputs=fields.table("inputs"),
        tolerance=fields.number("tolerance", TOLERANCE),
    )
    fields.finish()
    if not training.function.isidentifier():
        bad_value(fields.path("function"), f"must name a function, not {training.function!r}")
    for name, spec in training.inputs.items():
        check_input(spec, f"{fields.path('inputs')}.{name}")
    return training


def losses_of(training: Training, returned: Any) -> list[float]:
    """Return what the function gave as numbers. Raises PorterError PRT703 where it gave others."""
    try:
        losses = [float(loss) for loss in returned]
    except (TypeError, ValueError):
        losses = []
    if not losses:
        raise PorterError(
            "PRT703",
            f"training.function: {training.function} must return the loss of each step, "
            f"not {type(returned).__name__}",
        )
    return losses


def loss_run(training: Training, outcomes: Mapping[str, Outcome]) -> LossRun | None:
    """Compare the losses of both sides; None where torch has none, which a finding says."""
    reference, candidate = outcomes.get(REFERENCE_TASK), outcomes.get(CANDIDATE_TASK)
    if reference is None or not reference.ok or candidate is None:
        return None
    torch = tuple(reference.data["losses"])
    name, tolerance = training.function, training.tolerance
    if not candidate.ok:
        code, message = candidate.code, candidate.message
        return LossRun(name, torch, (), tolerance, code=code, message=message)
    port = tuple(candidate.data["losses"])
    differences = [relative_difference(*pair) for pair in zip(torch, port, strict=False)]
    largest = max(differences)
    first = next((i for i, value in enumerate(differences, 1) if not value <= tolerance), None)
    message = ""
    if len(torch) != len(port):
        message = f"{len(port)} losses, PyTorch has {len(torch)}"
    elif first is not None:
        values = f"{port[first - 1]:.6g}, PyTorch has {torch[first - 1]:.6g}"
        message = f"step {first} of {len(torch)} is the first that differs: loss {values}"
    return LossRun(
        name,
        torch,
        port,
        tolerance,
        largest=largest,
        step=differences.index(largest) + 1,
        torch_seconds=round(reference.seconds, 2),
        port_seconds=round(candidate.seconds, 2),
        code="PRT616" if message else "",
        message=message,
    )


def relative_difference(torch: float, port: float) -> float:
    """Return the relative difference; losses that are no numbers agree with nothing."""
    if not (math.isfinite(torch) and math.isfinite(port)):
        return math.inf
    if torch == port:
        return 0.0
    return abs(port - torch) / abs(torch) if torch else math.inf


def loss_findings(position: Position, run: LossRun) -> Iterator[Finding]:
    """Yield the finding of a training that does not hold."""
    if run.code:
        yield Finding(run.code, position, f"training by {run.function}: {run.message}")
