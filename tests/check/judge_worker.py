"""Compile the Nets of one finding until some run in PYNATIVE_MODE, and report how they fare.

Called as `python -m tests.check.judge_worker FOLDER TASK...` by run_tasks.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.check.example_worker import Example, main, verdict
from tests.check.pages import ALL_MODES

COMPILED = 2


def judge(folder: Path) -> dict[str, Any]:
    """Return what the first Nets that run in PYNATIVE_MODE do in the four ways of compiling."""
    report: dict[str, Any] = {"tried": 0, "runs": []}
    for path in sorted(folder.glob("net*.py")):
        report["tried"] += 1
        example = Example(path)
        yardstick = example.run("pynative")
        if "error" in yardstick:
            report["pynative"] = yardstick["error"][:300]
            if path.name == "net00.py":
                graph = example.run("graph", "STRICT", "static")
                report["graph"] = graph.get("error", "")[:300]
            continue
        modes: dict[str, Any] = {}
        report["runs"].append({"net": path.name, "modes": modes})
        for mode in ALL_MODES:
            modes[mode] = {"error": "the process ended"}
            (folder / "report.json").write_text(json.dumps(report), "utf-8")
            syntax, shapes = mode.split("/")
            modes[mode] = verdict(example.run("graph", syntax, shapes), yardstick)
        if len(report["runs"]) == COMPILED:
            break
    (folder / "report.json").write_text(json.dumps(report), "utf-8")
    return report


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], judge))
