"""Name the files that the parent and the two workers exchange in a work folder."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter.recipe import Recipe, parse_recipe


@dataclass(frozen=True, slots=True)
class WorkFolder:
    """The paths below one work folder; `root` is absolute."""

    root: Path

    @property
    def state(self) -> Path:
        """The weights of the PyTorch module, by its names."""
        return self.root / "state.safetensors"

    def inputs(self, case: str, variant: int) -> Path:
        """The inputs of the port."""
        return self.root / "inputs" / case / f"{variant}.npz"

    def torch_inputs(self, case: str, variant: int) -> Path:
        """The inputs of the PyTorch side."""
        return self.root / "inputs" / case / f"{variant}.torch.npz"

    @property
    def training_inputs(self) -> Path:
        """The inputs of the function that trains, the same for both sides."""
        return self.root / "training_inputs.npz"

    def expected(self, case: str, variant: int, kind: str = "float32") -> Path:
        """What the PyTorch side returned, in a dtype or in "training" mode."""
        return self.root / "reference" / case / f"{variant}.{kind}.npz"

    def record(self, side: str, case: str) -> Path:
        """What every module got and returned: on the "torch" side, in "pynative" or "graph"."""
        return self.root / "records" / case / f"{side}.npz"

    def cotangents(self, case: str) -> Path:
        """The fixed factors, by output name, that make a scalar loss of the outputs."""
        return self.root / "reference" / case / "cotangents.npz"

    def gradients(self, case: str) -> Path:
        """The gradients of the PyTorch parameters, by their names; NaN where there is none."""
        return self.root / "reference" / case / "gradients.safetensors"

    def step(self, case: str) -> Path:
        """The PyTorch parameters after a training step, by their names; NaN where there is none."""
        return self.root / "reference" / case / "step.safetensors"

    def statistics(self, case: str) -> Path:
        """The statistics of PyTorch's training mode."""
        return self.root / "reference" / case / "statistics.json"

    def input_gradients(self, case: str) -> Path:
        """The gradients of the PyTorch side's floating inputs."""
        return self.root / "reference" / case / "input_gradients.npz"

    def actual(self, task: str, variant: int) -> Path:
        """What the port returned in a task."""
        return self.root / "candidate" / task / f"{variant}.npz"

    def generated(self, kind: str, case: str) -> Path:
        """A Python file that the candidate generates for a case."""
        return self.root / "candidate" / "generated" / f"{kind}_{case}.py"

    def converted(self, path: Path) -> Path:
        """A file of the reference, with the tensors under the port's names."""
        return self.root / "candidate" / path.relative_to(self.root)


def float64_of(path: Path) -> Path:
    """Return where the float64 yardstick of a file lies."""
    return path.with_name(f"{path.stem}.float64{path.suffix}")


def perturbed_of(path: Path) -> Path:
    """Return where the outputs for slightly other weights and inputs lie."""
    return path.with_name(f"{path.stem}.perturbed{path.suffix}")


def errors_of(path: Path) -> Path:
    """Return where PyTorch's own errors of a file lie."""
    return path.with_name(f"{path.stem}.errors{path.suffix}")


@dataclass(frozen=True, slots=True)
class Job:
    """What the parent asks of the workers. `weights` is where the converted weights are.

    `convert` tells the candidate to write `weights` first, from the reference's state.
    """

    recipe: Recipe
    port: Path | None
    mappings: Path | None
    weights: Path
    convert: bool

    def save(self, root: Path) -> None:
        """Write the job into the work folder."""
        data: dict[str, Any] = {
            "document": self.recipe.document,
            "recipe": str(self.recipe.path.resolve()),
            "port": str(self.port) if self.port else None,
            "mappings": str(self.mappings) if self.mappings else None,
            "weights": str(self.weights),
            "convert": self.convert,
        }
        (root / "job.json").write_text(json.dumps(data))

    @classmethod
    def load(cls, root: Path) -> Job:
        """Read the job from the work folder."""
        data = json.loads((root / "job.json").read_text())
        return cls(
            recipe=parse_recipe(data["document"], Path(data["recipe"])),
            port=Path(data["port"]) if data["port"] else None,
            mappings=Path(data["mappings"]) if data["mappings"] else None,
            weights=Path(data["weights"]),
            convert=data["convert"],
        )
