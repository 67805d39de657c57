"""Verify a port: run both sides of a recipe in processes of their own and compare them."""

from __future__ import annotations

import importlib.metadata
import platform
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from porter.parity.collect import collect
from porter.parity.folder import Job, WorkFolder
from porter.parity.inputs import make_inputs, save_inputs
from porter.parity.results import ParityReport
from porter.parity.worker import Outcome, run_tasks
from porter.recipe import Recipe
from porter.types import PorterError

REFERENCE = "porter.parity.reference"
CANDIDATE = "porter.parity.candidate"


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
    progress: Callable[[str], None] = lambda _task: None,
) -> ParityReport:
    """Run the recipe's PyTorch source and its port, compare outputs, gradients and MindIR export.

    This executes the source being ported. Without `port_directory` the source is ported into a
    temporary folder first. `weights` are converted weights to verify; without them the reference's
    weights are converted, into `weights_output` where that is given. `work` keeps all exchanged
    files; it must be empty or new. `cases` and `modes` choose a part of the recipe.

    A command line needs: RECIPE, --port DIR, --weights FILE, --work DIR, --case NAME...,
    --mode graph|pynative..., --mappings DIR, --format text|json. The exit code is 0 where the
    report passed, else 1.

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
        return _run(job, WorkFolder(root), progress)
    finally:
        if work is None:
            shutil.rmtree(root, ignore_errors=True)


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

    result = port_source(recipe.source.reference, mappings_directory=mappings_directory)
    return write_port(result, folder)


def _run(job: Job, work: WorkFolder, progress: Callable[[str], None]) -> ParityReport:
    recipe = job.recipe
    workers = Workers(work.root, recipe.verify.time_limit, progress)
    for case in recipe.cases:
        for variant, (specs, torch_specs) in enumerate(
            zip(case.variants, case.reference, strict=True)
        ):
            seed = recipe.weights.seed
            save_inputs(work.inputs(case.name, variant), make_inputs(specs, seed))
            save_inputs(work.torch_inputs(case.name, variant), make_inputs(torch_specs, seed))
    outcomes = workers.reference(reference_tasks(recipe))
    if outcomes["build"].ok:
        outcomes |= workers.candidate(["weights", *candidate_tasks(recipe, outcomes)])
        for case in recipe.cases:
            # In a process of its own: a failed export leaves STRICT syntax on behind it.
            runnable = outcomes["weights"].ok and outcomes[f"case/{case.name}/0"].ok
            if recipe.verify.export and runnable:
                outcomes |= workers.candidate([f"export/{case.name}"])
    return collect(job, work, outcomes, _versions(outcomes))


def reference_tasks(recipe: Recipe) -> list[str]:
    """Return the tasks of the PyTorch side, in order."""
    tasks = ["build"]
    for case in recipe.cases:
        tasks += [f"case/{case.name}/{variant}" for variant in range(len(case.variants))]
        if recipe.verify.gradients:
            tasks.append(f"gradient/{case.name}")
    return tasks


def candidate_tasks(recipe: Recipe, outcomes: dict[str, Outcome]) -> list[str]:
    """Return the tasks of the MindSpore side for the cases that PyTorch could run, in order."""
    tasks = []
    for case in recipe.cases:
        if not outcomes[f"case/{case.name}/0"].ok:
            continue
        if "graph" in recipe.verify.modes:
            tasks += [
                f"run/{case.name}/graph/{syntax}/{shapes}"
                for syntax in recipe.verify.syntax
                for shapes in recipe.verify.shapes
            ]
        if "pynative" in recipe.verify.modes:
            tasks.append(f"run/{case.name}/pynative//")
        gradient = outcomes.get(f"gradient/{case.name}")
        if gradient is not None and gradient.ok and not gradient.data["skipped"]:
            tasks.append(f"backward/{case.name}")
    return tasks


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
