"""Compile the examples of the pages under another MindSpore, and print what holds, as JSON.

Called as `PYTHON -m tests.check.old_version FOLDER` by the interpreter that has it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.check.pages import compile_pages, holds, pairs


def main(folder: str) -> int:
    """Print for each code whether its example is wrong as the page says."""
    reports = compile_pages(Path(folder))
    print(json.dumps({pair.code: holds(pair, reports[pair.code]) for pair in pairs()}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
