"""Hold a model to its recipe in the tests of another repository."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from porter.parity.results import ParityReport
from porter.parity.verify import verify
from porter.recipe import load_recipe
from porter.types import Severity


def assert_port_matches(
    recipe: str | Path,
    port: str | Path | None = None,
    *,
    weights: str | Path | None = None,
    cases: Sequence[str] = (),
    modes: Sequence[str] = (),
    mappings: str | Path | None = None,
    html: str | Path | None = None,
) -> ParityReport:
    """Verify a port as `porter verify --locate` does, and return the report where it holds.

    `recipe` is a TOML file, or one entry "models.json:ID" of a zoo file. `port` is the folder of
    the port; without it the source is ported as it is now. `weights` are converted weights,
    `cases` and `modes` choose a part of the recipe, `mappings` lays tables over porter's. `html`
    is a file for the page, which is written where the port fails.

    Raises AssertionError with one line for each finding, the first wrong module among them, and
    `porter.types.PorterError` for wrong usage. This runs the model's own code.
    """
    report = verify(
        load_recipe(str(recipe)),
        Path(port) if port is not None else None,
        weights=Path(weights) if weights is not None else None,
        cases=cases,
        modes=modes,
        mappings_directory=Path(mappings) if mappings is not None else None,
        record="failed",
    )
    if report.passed:
        return report
    if html is not None:
        from porter.emit.write import write_text
        from porter.parity.html import html_page

        write_text(Path(html), html_page(report))
    lines = [str(finding) for finding in report.findings]
    errors = sum(finding.severity is Severity.ERROR for finding in report.findings)
    raise AssertionError(
        "\n".join(
            [f"{recipe}: parity fails, {errors} findings", *lines, f"run again: {report.command}"]
        )
    )
