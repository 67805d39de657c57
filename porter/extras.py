"""Say which package a form of report lacks, where only porter's core is installed."""

from __future__ import annotations

from porter.types import PorterError

HINT = 'pip install "porter-mindspore[verify]", or ask for the JSON report, which needs no package'


def missing_package(form: str, error: ImportError) -> PorterError:
    """Return the error (PRT703) for a report in a `form` whose package cannot be imported."""
    package = (error.name or "").partition(".")[0] or str(error)
    return PorterError("PRT703", f"{form} needs the package {package}", hint=HINT)
