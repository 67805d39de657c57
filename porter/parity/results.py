"""Hold what a verification found, as data for every kind of report."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from porter.types import Finding, Severity


@dataclass(frozen=True, slots=True)
class OutputRow:
    """One output of one run. `code` is empty where it holds; errors are largest absolute values.

    `torch_error` and `port_error` are the distances of both sides from PyTorch in float64. Every
    value has a limit; `used` is the largest part of its limit that a value uses, at `index`, and
    `tolerance` is the limit there. `rule` tells what the limit is made of: "float64" (a factor of
    PyTorch's own error), "torch" (no float64 yardstick: distance from PyTorch itself), "recipe"
    (set by the user) or "equal" (integers, booleans, plain values). `unusable` counts the values
    for which PyTorch in float64 is no yardstick; these are compared with PyTorch itself.
    """

    name: str
    shape: tuple[int, ...] = ()
    dtype: str = ""
    maximum_absolute: float | None = None
    maximum_relative: float | None = None
    index: tuple[int, ...] = ()
    torch_error: float | None = None
    port_error: float | None = None
    tolerance: float | None = None
    used: float | None = None
    rule: str = ""
    unusable: int = 0
    code: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class GradientRow:
    """The gradient by one parameter or input, or one parameter after a training step.

    `largest` is PyTorch's largest absolute value. `judged` counts the values that were compared:
    where PyTorch's own error is as large as the value, there is nothing to compare with.
    """

    name: str
    shape: tuple[int, ...]
    largest: float
    maximum_absolute: float | None
    tolerance: float
    torch_error: float | None = None
    port_error: float | None = None
    judged: int = 0
    code: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class VariantRows:
    """The outputs of a run for one set of input shapes; number 0 is the recipe's own."""

    variant: int
    outputs: tuple[OutputRow, ...]


@dataclass(frozen=True, slots=True)
class RunRow:
    """One case in one mode: graph, pynative, training, or export.

    Training is GRAPH_MODE with the training switch on; export is MindIR written, loaded and run.

    `first_seconds` includes compiling; `call_seconds` is one later call. `code` is that of a run
    that gave no outputs, or of the first output that does not hold.
    """

    case: str
    mode: str
    syntax: str
    shapes: str
    dtype: str = "float32"
    variants: tuple[VariantRows, ...] = ()
    first_seconds: float | None = None
    call_seconds: float | None = None
    compilations: int | None = None
    code: str = ""
    message: str = ""
    detail: str = ""

    @property
    def label(self) -> str:
        """The mode in one string, such as "graph STRICT dynamic"."""
        dtype = "" if self.dtype == "float32" else self.dtype
        return " ".join(part for part in (self.mode, self.syntax, self.shapes, dtype) if part)


@dataclass(frozen=True, slots=True)
class GradientRun:
    """The gradients of one case by all parameters and floating inputs, in GRAPH_MODE.

    `kind` is "gradients", or "step" for the parameters after one step of AdamW.
    """

    case: str
    kind: str = "gradients"
    rows: tuple[GradientRow, ...] = ()
    first_seconds: float | None = None
    code: str = ""
    message: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class RandomRow:
    """One statistic of the training mode, where values are drawn at random.

    `name` is a module path or an output, `measure` is what was measured ("share of zeros",
    "scale", ...). `tolerance` is absolute.
    """

    name: str
    measure: str
    torch: float
    port: float
    tolerance: float
    code: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class RandomRun:
    """The training mode of one case: statistics over `repeats` passes with different seeds."""

    case: str
    repeats: int
    rows: tuple[RandomRow, ...] = ()
    code: str = ""
    message: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class LossRun:
    """The losses of a training by the source's own function, step by step.

    `largest` is the largest relative difference, at `step`, counted from 1. The port's `construct`
    is compiled as a graph; `port_seconds` includes compiling.
    """

    function: str
    torch: tuple[float, ...]
    port: tuple[float, ...]
    tolerance: float
    largest: float | None = None
    step: int | None = None
    torch_seconds: float | None = None
    port_seconds: float | None = None
    code: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class ModuleRow:
    """One call of one module, on both sides. Rows stand in the order in which calls end.

    `path` is the module's name in the PyTorch model, "" for the model itself; `call` counts the
    calls of that module from 0; `level` is the number of modules around it. Errors are largest
    absolute distances from PyTorch in float64, `scale` is the largest absolute float64 value and
    `limit` what the port's error may be; all are None where the values could not be compared, and
    `message` says why. `inputs_agree` tells whether the call got right inputs on the port's side.
    """

    path: str
    call: int
    class_name: str
    level: int
    torch_error: float | None
    port_error: float | None
    scale: float | None
    limit: float | None
    inputs_agree: bool
    code: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A line of source code, with its text."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Location:
    """The first module of a case whose inputs agree and whose output does not.

    `mode` is the mode in which the values were recorded. `port` and `source` are the lines of the
    port and of the original to look at, `after` and `before` the modules between whose calls the
    fault lies, where it is in the module's own code; "" where there is none.
    """

    case: str
    mode: str
    path: str
    call: int
    class_name: str
    message: str
    after: str = ""
    before: str = ""
    port: Place | None = None
    source: Place | None = None


@dataclass(frozen=True, slots=True)
class ModuleRun:
    """The intermediate values of one case, module by module; `location` where an output is off."""

    case: str
    mode: str
    rows: tuple[ModuleRow, ...] = ()
    location: Location | None = None
    code: str = ""
    message: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Histogram:
    """How the errors of one output against float64 are distributed, on both sides.

    Counts of log10(absolute error) between neighbouring `edges`; exact values are counted apart.
    """

    case: str
    run: str
    output: str
    edges: tuple[float, ...]
    torch: tuple[int, ...]
    port: tuple[int, ...]
    torch_exact: int
    port_exact: int


@dataclass(frozen=True, slots=True)
class Side:
    """What one framework's processes took: seconds of work, and the peak of resident memory."""

    name: str
    seconds: float
    peak_bytes: int


@dataclass(frozen=True, slots=True)
class ParityReport:
    """All that a verification found. `notes` are remarks that change no verdict.

    `command` runs the verification again, `document` is the recipe as plain data, `tolerance`
    says in one sentence how outputs were judged.
    """

    recipe: str
    source: str
    port: str
    weights: str | None
    versions: dict[str, str]
    parameters: int
    runs: tuple[RunRow, ...]
    gradients: tuple[GradientRun, ...]
    notes: tuple[str, ...]
    findings: tuple[Finding, ...]
    random: tuple[RandomRun, ...] = ()
    losses: tuple[LossRun, ...] = ()
    modules: tuple[ModuleRun, ...] = ()
    histograms: tuple[Histogram, ...] = ()
    sides: tuple[Side, ...] = ()
    seconds: float = 0.0
    command: str = ""
    tolerance: str = ""
    document: dict[str, Any] | None = None

    @property
    def compared(self) -> int:
        """The number of outputs that were compared, over all runs and shapes."""
        return sum(len(variant.outputs) for run in self.runs for variant in run.variants)

    @property
    def passed(self) -> bool:
        """Tell whether something was compared and all of it holds."""
        errors = any(finding.severity is Severity.ERROR for finding in self.findings)
        return self.compared > 0 and not errors

    @property
    def largest_difference(self) -> float | None:
        """The largest absolute difference from PyTorch of any output, None where none has one.

        Only runs in float32 count: a half precision differs by its own rounding.
        """
        values = [
            row.maximum_absolute
            for run in self.runs
            if run.dtype == "float32"
            for variant in run.variants
            for row in variant.outputs
            if row.maximum_absolute is not None
        ]
        return max(values, default=None)

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON data; numbers that JSON does not have become strings."""
        data = asdict(self)
        data["findings"] = [finding.to_json() for finding in self.findings]
        data.update(passed=self.passed, compared=self.compared)
        data["largest_difference"] = self.largest_difference
        plain: dict[str, Any] = _plain(data)
        return plain


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
