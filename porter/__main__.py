"""Run the command line with `python -m porter`."""

from __future__ import annotations

import sys

from porter.cli import main

if __name__ == "__main__":
    sys.exit(main())
