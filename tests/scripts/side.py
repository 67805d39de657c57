"""Run scripts in one framework and keep their variables; a worker of run_tasks.

Called as `python -m tests.scripts.side FOLDER TASK...`. FOLDER holds one script for each task, as
`TASK.py`, and `job.json`, which names the framework. The variables of each go to `TASK.npz`.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import math
import runpy
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from porter.parity.tree import flatten, save_leaves
from porter.parity.worker import RESTART, Journal
from porter.weights.dtypes import Array

Reader = Callable[[Any], tuple[Array, str] | None]


class Side:
    """One framework: how it is imported, and how its values are read."""

    def __init__(self, folder: Path, framework: str) -> None:
        self.folder = folder
        self.framework = framework
        self.library: Any = None
        self.read: Reader | None = None

    def load(self) -> dict[str, Any]:
        """Import the framework."""
        warnings.simplefilter("ignore")
        # As `python script.py` has it: the script's folder, where a port's runtime lies.
        sys.path.insert(0, str(self.folder))
        self.library = importlib.import_module(self.framework)
        if self.framework == "mindspore":
            self.library.set_device("CPU")
            self.read = importlib.import_module("porter.parity.calls").read_tensor
        else:
            self.library.set_num_threads(1)
            self.read = importlib.import_module("porter.parity.reference").read_tensor
        gc.collect()
        gc.freeze()
        return {}

    def run(self, task: str) -> dict[str, Any]:
        """Run one script as `python script.py` would, and keep what its variables hold."""
        if self.read is None:
            self.load()
        if self.framework == "torch":
            self.library.set_default_device("cpu")
            self.library.set_grad_enabled(True)
            self.library.manual_seed(0)
            self.library.set_default_dtype(self.library.float32)
        else:
            self.library.set_seed(0)
        with contextlib.redirect_stdout(io.StringIO()):
            found = runpy.run_path(str(self.folder / f"{task}.py"), run_name="__main__")
        values = {name: self.plain(v) for name, v in found.items() if not name.startswith("_")}
        kept = {name: value for name, value in values.items() if value is not SKIPPED}
        leaves = flatten(kept, self.leaf)
        save_leaves(self.folder / f"{task}.npz", leaves)
        return {"names": sorted(kept)}

    def leaf(self, value: Any) -> tuple[Array, str] | None:
        assert self.read is not None
        if isinstance(value, np.ndarray):
            return value, f"numpy.{value.dtype.name}"
        if isinstance(value, np.generic):
            return np.asarray(value), f"numpy scalar {value.dtype.name}"
        return self.read(value)

    def plain(self, value: Any) -> Any:
        """Return a value as data that both frameworks write alike, or SKIPPED where it is none."""
        if isinstance(value, self.dtype_class):
            return f"dtype {str(value).removeprefix('torch.').lower().rstrip('_')}"
        if self.is_tensor(value) or isinstance(value, np.ndarray | np.generic):
            return value
        if isinstance(value, complex):
            return ["complex", value.real, value.imag]
        if isinstance(value, float) and not math.isfinite(value):
            return ["float", str(value)]
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if isinstance(value, list):
            return self.items("list", value)
        if isinstance(value, tuple):
            return self.items("tuple", value)
        if isinstance(value, dict):
            parts = {str(key): self.plain(item) for key, item in value.items()}
            return SKIPPED if SKIPPED in parts.values() else {"type": "dict", **parts}
        return SKIPPED

    def items(self, name: str, value: list[Any] | tuple[Any, ...]) -> Any:
        parts = [self.plain(item) for item in value]
        return SKIPPED if any(part is SKIPPED for part in parts) else [name, *parts]

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, self.library.Tensor)

    @property
    def dtype_class(self) -> Any:
        return type(self.library.float32) if self.framework == "torch" else self.library.Type


SKIPPED = object()
"""What no comparison is made of: modules, functions, objects."""


def main(arguments: list[str]) -> int:
    """Run the scripts that are named, after the import of the framework."""
    folder = Path(arguments[0])
    side = Side(folder, json.loads((folder / "job.json").read_text())["framework"])
    journal = Journal(folder)
    for count, task in enumerate(arguments[1:]):
        if task == "import":
            journal.run(task, side.load, "PRT704")
            continue
        journal.run(task, lambda task=task: side.run(task), "PRT606")  # type: ignore[misc]
        if count > 400:
            return RESTART
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
