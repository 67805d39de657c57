"""Port and verify one model of a zoo in a process of its own.

Called as `python -m porter.zoo.worker JOB`, a JSON file; writes `result.json` beside it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from porter.emit.write import write_text
from porter.parity.worker import environment
from porter.recipe import parse_recipe
from porter.run import run_recipe
from porter.types import PorterError
from porter.zoo.entry import entry_document
from porter.zoo.results import STAGES, Cause, ModelResult, causes_of, judge, reference_ran
from porter.zoo.stand_in import write_stand_ins

VERIFY = {"modes": ["graph"], "gradients": False, "training": False, "export": False}
"""A zoo asks for outputs in GRAPH_MODE; a recipe of its own asks for more."""


def run_model(entry: dict[str, Any], zoo: Path, folder: Path, mappings: Path | None) -> ModelResult:
    """Port, convert and verify one entry in `folder`; whatever stops it is in the result.

    Raises PorterError like `porter.run.run_recipe` for a zoo that cannot be meant.
    """
    started = time.monotonic()
    document = entry_document(entry)
    document["verify"] |= VERIFY
    try:
        run = run_recipe(
            parse_recipe(document, zoo), folder / "port", force=True, mappings_directory=mappings
        )
    except PorterError as error:
        cause = Cause(error.code, error.message, str(error.position or ""))
        return stopped(entry, cause, time.monotonic() - started, said=True)
    write_text(folder / "run.json", json.dumps(run.to_json(), indent=2))
    return ModelResult(
        identifier=entry["id"],
        package=entry.get("package", ""),
        class_name=entry["cls"],
        stages=judge(run),
        findings=causes_of(run.port_findings),
        failures=causes_of(run.parity.findings),
        reference=reference_ran(run),
        difference=run.parity.largest_difference,
        seconds=round(time.monotonic() - started, 1),
    )


def stopped(
    entry: dict[str, Any], cause: Cause, seconds: float, *, said: bool = False
) -> ModelResult:
    """Return the result of a model that got nowhere; `said`: porting itself refused it."""
    stages: dict[str, bool | None] = dict.fromkeys(STAGES)
    return ModelResult(
        identifier=entry["id"],
        package=entry.get("package", ""),
        class_name=entry["cls"],
        stages={**stages, "ported": False},
        findings=(cause,) if said else (),
        failures=() if said else (cause,),
        seconds=round(seconds, 1),
    )


def main(arguments: list[str]) -> int:
    """Carry out the job in the file that the command line names."""
    path = Path(arguments[0])
    job = json.loads(path.read_text(encoding="utf-8"))
    mappings = Path(job["mappings"]) if job["mappings"] else None
    # For the processes that run the model alone: porting must see that the packages are not there.
    stand_ins = path.parent / "stand_ins"
    write_stand_ins(job["entry"].get("stubs") or (), stand_ins)
    os.environ.update(environment(stand_ins))
    result = run_model(job["entry"], Path(job["zoo"]), path.parent, mappings)
    write_text(path.with_name("result.json"), json.dumps(result.to_json(), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
