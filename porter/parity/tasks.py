"""Name the tasks of the two workers; a task is a string of parts with slashes between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from porter.parity.losses import CANDIDATE_TASK, REFERENCE_TASK
from porter.parity.worker import Outcome
from porter.recipe import Case, Recipe

RECORD_MODES = ("pynative", "graph")


@dataclass(frozen=True, slots=True)
class RunTask:
    """One run of the port: "run/CASE/MODE/SYNTAX/SHAPES/DTYPE".

    `mode` is graph, pynative or training, which is GRAPH_MODE with the training switch on.
    """

    case: str
    mode: str
    syntax: str = ""
    shapes: str = ""
    dtype: str = "float32"

    @property
    def text(self) -> str:
        """The task as a string."""
        return f"run/{self.case}/{self.mode}/{self.syntax}/{self.shapes}/{self.dtype}"

    @classmethod
    def parse(cls, text: str) -> RunTask:
        """Read the string of a task."""
        _, case, mode, syntax, shapes, dtype = text.split("/")
        return cls(case, mode, syntax, shapes, dtype)

    @property
    def expected(self) -> str:
        """Which of the reference's outputs the run is compared with."""
        return "training" if self.mode == "training" else self.dtype


def half_precisions(recipe: Recipe) -> list[str]:
    """Return the dtypes of the recipe other than float32."""
    return [dtype for dtype in recipe.verify.dtypes if dtype != "float32"]


def reference_tasks(recipe: Recipe) -> list[str]:
    """Return the tasks of the PyTorch side, in order."""
    tasks = ["build"]
    for case in recipe.cases:
        tasks += [f"case/{case.name}/{variant}" for variant in range(len(case.variants))]
        tasks += [f"half/{case.name}/{dtype}" for dtype in half_precisions(recipe)]
        if recipe.verify.gradients:
            tasks.append(f"gradient/{case.name}")
    if recipe.verify.training:
        tasks.append(f"training/{recipe.cases[0].name}")
    if recipe.training is not None:
        tasks.append(REFERENCE_TASK)
    return tasks


def candidate_tasks(recipe: Recipe, outcomes: Mapping[str, Outcome]) -> tuple[list[str], list[str]]:
    """Return the tasks of the MindSpore side for the cases that PyTorch could run, in order.

    First those that one process carries out together, then those that need one of their own: a
    failed export leaves STRICT syntax on behind it, and what is compiled for training keeps its
    memory, several times that of the weights.
    """
    runs: list[str] = []
    alone: list[str] = []
    for case in recipe.cases:
        if outcomes[f"case/{case.name}/0"].ok:
            runs += _runs(recipe, case, outcomes)
            alone += _alone(recipe, case, outcomes)
    if REFERENCE_TASK in outcomes and outcomes[REFERENCE_TASK].ok:
        alone.append(CANDIDATE_TASK)
    return runs, alone


def _runs(recipe: Recipe, case: Case, outcomes: Mapping[str, Outcome]) -> Iterator[str]:
    verify, name = recipe.verify, case.name
    if "graph" in verify.modes and "float32" in verify.dtypes:
        for syntax in verify.syntax:
            for shapes in verify.shapes:
                yield RunTask(name, "graph", syntax, shapes).text
    if "pynative" in verify.modes and "float32" in verify.dtypes:
        yield RunTask(name, "pynative").text
    for dtype in half_precisions(recipe):
        if outcomes[f"half/{name}/{dtype}"].ok:
            for mode in verify.modes:
                graph = mode == "graph"
                syntax, shapes = (verify.syntax[0], "static") if graph else ("", "")
                yield RunTask(name, mode, syntax, shapes, dtype).text
    training = outcomes.get(f"training/{name}")
    if training is not None and training.ok and training.data["kind"] == "values":
        yield RunTask(name, "training", verify.syntax[0], "static").text


def _alone(recipe: Recipe, case: Case, outcomes: Mapping[str, Outcome]) -> Iterator[str]:
    name = case.name
    gradient, training = outcomes.get(f"gradient/{name}"), outcomes.get(f"training/{name}")
    if gradient is not None and gradient.ok and not gradient.data["skipped"]:
        yield f"backward/{name}"
    if training is not None and training.ok and training.data["kind"] == "random":
        yield f"random/{name}"
    if recipe.verify.export:
        yield f"export/{name}"
