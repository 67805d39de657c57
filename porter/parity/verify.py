"""Verify a port: run both sides of a recipe in processes of their own and compare them."""

from __future__ import annotations

import importlib.metadata
import platform
import shlex
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from porter.build import needed
from porter.parity.collect import collect, sides
from porter.parity.folder import Job, WorkFolder
from porter.parity.inputs import make_inputs, save_inputs
from porter.parity.modules import collect_modules
from porter.parity.results import ParityReport
from porter.parity.tasks import RECORD_MODES, candidate_tasks, reference_tasks
from porter.parity.worker import Outcome, run_tasks
from porter.recipe import Recipe
from porter.types import PorterError, Record

REFERENCE = "porter.parity.torch_worker"
CANDIDATE = "porter.parity.mindspore_worker"


@dataclass(frozen=True, slots=True)
class Workers:
    """How workers are run for one verification."""

    folder: Path
    time_limit: float
    progress: Callable[[str], None]

    def reference(self, tasks: Sequence[str]) -> dict[str, Outcome]:
        """Carry out tasks of the PyTorch side."""
        return self._run(REFERENCE, tasks, "PRT609")

    def candidate(self, tasks: Sequence[str]) -> dict[str, Outcome]:
        """Carry out tasks of the MindSpore side."""
        return self._run(CANDIDATE, tasks, "PRT608")

    def _run(self, module: str, tasks: Sequence[str], crash_code: str) -> dict[str, Outcome]:
        return run_tasks(
            module,
            self.folder,
            tasks,
            time_limit=self.time_limit,
            progress=self.progress,
            crash_code=crash_code,
        )


def verify(
    recipe: Recipe,
    port_directory: Path | None = None,
    *,
    weights: Path | None = None,
    weights_output: Path | None = None,
    work: Path | None = None,
    cases: Sequence[str] = (),
    modes: Sequence[str] = (),
    mappings_directory: Path | None = None,
    record: Record = "never",
    progress: Callable[[str], None] = lambda _task: None,
) -> ParityReport:
    """Run the recipe's PyTorch source and its port, compare outputs, gradients and MindIR export.

    This executes the source being ported. Without `port_directory` the source is ported into a
    temporary folder first. `weights` are converted weights to verify; without them the reference's
    weights are converted, into `weights_output` where that is given. `work` keeps all exchanged
    files; it must be empty or new. `cases` and `modes` choose a part of the recipe. `record` tells
    for which cases the values of every module are compared, to find the first that differs: never,
    for those that failed, or always.

    Raises PorterError for wrong usage: PRT703 for an unknown case or mode, PRT704 for a folder that
    is no port, PRT401 for a work folder that is not empty, and whatever porting itself refuses.
    What a worker finds, a crash or a time-out included, is a finding of the report.
    """
    recipe = narrowed(recipe, cases, modes)
    if work is not None and work.exists() and any(work.iterdir()):
        raise PorterError("PRT401", f"the work folder {work} is not empty")
    root = Path(tempfile.mkdtemp(prefix="porter-verify-")) if work is None else work.resolve()
    root.mkdir(parents=True, exist_ok=True)
    try:
        port = port_directory or _port(recipe, root / "port", mappings_directory)
        if not (port / "port.json").is_file():
            raise PorterError("PRT704", f"{port} is no port: it holds no port.json")
        target = weights or weights_output or root / "weights.safetensors"
        job = Job(
            recipe=recipe,
            port=port.resolve(),
            mappings=mappings_directory.resolve() if mappings_directory else None,
            weights=target.resolve(),
            convert=weights is None,
        )
        job.save(root)
        command = _command(recipe, port_directory, weights, cases, modes)
        return _run(job, WorkFolder(root), record, command, progress)
    finally:
        if work is None:
            shutil.rmtree(root, ignore_errors=True)


def _command(
    recipe: Recipe,
    port: Path | None,
    weights: Path | None,
    cases: Sequence[str],
    modes: Sequence[str],
) -> str:
    """Return the command line that runs the verification again."""
    parts = ["porter", "verify", str(recipe.path)]
    parts += ["--port", str(port)] if port else []
    parts += ["--weights", str(weights)] if weights else []
    parts += [part for case in cases for part in ("--case", case)]
    parts += [part for mode in modes for part in ("--mode", mode)]
    return shlex.join([*parts, "--locate"])


def narrowed(recipe: Recipe, cases: Sequence[str], modes: Sequence[str]) -> Recipe:
    """Return the recipe with the chosen cases and modes only; PRT703 for one it does not have."""
    names = [case.name for case in recipe.cases]
    for kind, chosen, known in (("case", cases, names), ("mode", modes, recipe.verify.modes)):
        for name in chosen:
            if name not in known:
                raise PorterError(
                    "PRT703", f"the recipe has no {kind} {name}", hint=f"it has {', '.join(known)}"
                )
    return replace(
        recipe,
        cases=tuple(case for case in recipe.cases if not cases or case.name in cases),
        verify=replace(recipe.verify, modes=tuple(modes) or recipe.verify.modes),
    )


def _port(recipe: Recipe, folder: Path, mappings_directory: Path | None) -> Path:
    from porter.emit.write import write_port
    from porter.port import port_source

    result = port_source(
        recipe.source.reference,
        configuration=recipe.build.config,
        also=needed(recipe),
        mappings_directory=mappings_directory,
    )
    return write_port(result, folder)


def _run(
    job: Job, work: WorkFolder, record: Record, command: str, progress: Callable[[str], None]
) -> ParityReport:
    started = time.monotonic()
    recipe = job.recipe
    workers = Workers(work.root, recipe.verify.time_limit, progress)
    for case in recipe.cases:
        for variant, (specs, torch_specs) in enumerate(
            zip(case.variants, case.reference, strict=True)
        ):
            seed = recipe.weights.seed
            save_inputs(work.inputs(case.name, variant), make_inputs(specs, seed))
            save_inputs(work.torch_inputs(case.name, variant), make_inputs(torch_specs, seed))
    if recipe.training is not None:
        made = make_inputs(recipe.training.inputs, recipe.weights.seed)
        save_inputs(work.training_inputs, made)
    outcomes = workers.reference(reference_tasks(recipe))
    if outcomes["build"].ok:
        together, alone = candidate_tasks(recipe, outcomes)
        outcomes |= workers.candidate(["weights", *together])
        for task in alone:
            if outcomes["weights"].ok:
                outcomes |= workers.candidate([task])
    report = collect(job, work, outcomes)
    failed = {run.case for run in report.runs if run.code and run.dtype == "float32"}
    cases = _record(recipe, workers, outcomes, record, failed)
    modules, findings = collect_modules(job, work, outcomes, cases, failed)
    return replace(
        report,
        versions=_versions(outcomes),
        modules=tuple(modules),
        findings=(*report.findings, *findings),
        sides=sides(outcomes),
        seconds=round(time.monotonic() - started, 2),
        command=command,
    )


def _record(
    recipe: Recipe,
    workers: Workers,
    outcomes: dict[str, Outcome],
    record: Record,
    failed: set[str],
) -> list[str]:
    """Record the modules of the cases that are asked for, and return the names of these cases."""
    cases = [
        case.name
        for case in recipe.cases
        if (case.name in failed if record == "failed" else record == "always")
        and "weights" in outcomes
        and outcomes["weights"].ok
        and outcomes[f"case/{case.name}/0"].ok
    ]
    if cases:
        # The first task of a worker must go well for the others to be carried out.
        tasks = [f"record/{case}" for case in cases]
        outcomes |= workers.reference(["build", *tasks])
        tasks = [f"record/{case}/{mode}" for case in cases for mode in RECORD_MODES]
        outcomes |= workers.candidate(["weights", *tasks])
    return cases


def _versions(outcomes: dict[str, Outcome]) -> dict[str, str]:
    versions = {"python": platform.python_version()}
    for task, name in (("build", "torch"), ("weights", "mindspore")):
        if task in outcomes and outcomes[task].ok:
            versions[name] = str(outcomes[task].data[name])
    for name in ("numpy", "transformers"):
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return versions
