"""Carry out `porter compile`: run the worker, print each way of compiling, explain what failed."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from porter.check.explain import Explanation, explain
from porter.check.input_spec import read_inputs
from porter.parity.worker import Outcome, run_tasks
from porter.types import PorterError

WAYS = ("STRICT/static", "STRICT/dynamic", "LAX/static", "LAX/dynamic")


@dataclass(frozen=True, slots=True)
class CompileRequest:
    """What the command line asks for."""

    target: str
    inputs: str
    arguments: str = ""
    ways: tuple[str, ...] = WAYS
    time_limit: float = 600.0
    output_format: str = "text"


def compile_command(request: CompileRequest, progress: Callable[[str], None]) -> int:
    """Compile a Cell in each way, print what became of it, and return the exit code.

    Raises:
        PorterError: PRT803 for the inputs, PRT704 where the Cell cannot be made.
    """
    read_inputs(request.inputs)
    read_inputs(request.arguments)
    place, colon, name = request.target.rpartition(":")
    if not colon or not name.isidentifier():
        raise PorterError("PRT704", f"{request.target!r} must read module:Class or file.py:Class")
    if place.endswith(".py"):
        place = str(Path(place).resolve())
    with tempfile.TemporaryDirectory(prefix="porter-compile-") as folder:
        outcomes = _run(request, f"{place}:{name}", Path(folder), progress)
    built = outcomes["build"]
    if not built.ok:
        raise PorterError(built.code, built.message)
    explained = {
        way: explain(f"{outcome.message}\n{outcome.detail}")
        for way, outcome in outcomes.items()
        if not outcome.ok
    }
    if request.output_format == "json":
        sys.stdout.write(_json(request, outcomes, explained))
    else:
        sys.stdout.write(_text(request, outcomes, explained))
    return 1 if explained else 0


def _run(
    request: CompileRequest, target: str, folder: Path, progress: Callable[[str], None]
) -> dict[str, Outcome]:
    job = {
        "target": target,
        "inputs": request.inputs,
        "arguments": request.arguments,
        "folder": str(Path.cwd()),
    }
    (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
    return run_tasks(
        "porter.parity.compile_worker",
        folder,
        ["build", *request.ways],
        time_limit=request.time_limit,
        progress=progress,
        crash_code="PRT608",
    )


def _text(
    request: CompileRequest, outcomes: dict[str, Outcome], explained: dict[str, Explanation]
) -> str:
    lines = []
    for way in request.ways:
        outcome, name = outcomes[way], way.replace("/", " ")
        if outcome.ok:
            data = outcome.data
            graphs = f"{data['graphs']} graph" + ("" if data["graphs"] == 1 else "s")
            lines.append(
                f"{name:15} compiled in {data['first_seconds']:.2f} s, a call"
                f" {data['call_seconds']:.3f} s, {graphs}"
            )
            continue
        lines.append(f"{name:15} {outcome.code} {outcome.message[:300]}")
        explanation = explained[way]
        for found in explanation.found:
            lines.append(f"                means: {found.message.means}")
            lines += [f"                found: {item}" for item in explanation.at(found)]
        if explanation.places:
            place = explanation.places[0]
            lines.append(f"                at:    {place.path}:{place.line}")
    return "\n".join(lines) + "\n"


def _json(
    request: CompileRequest, outcomes: dict[str, Outcome], explained: dict[str, Explanation]
) -> str:
    rows = []
    for way in request.ways:
        outcome = outcomes[way]
        row = {"syntax": way.split("/")[0], "shapes": way.split("/")[1], "ok": outcome.ok}
        if outcome.ok:
            row |= outcome.data
        else:
            known = explained[way]
            row |= {
                "code": outcome.code,
                "message": outcome.message,
                "messages": [found.message.id for found in known.found],
                "findings": [item.to_json() for found in known.found for item in known.at(found)],
                "places": [asdict(place) for place in known.places],
            }
        rows.append(row)
    data = {"target": request.target, "inputs": request.inputs, "ways": rows}
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
