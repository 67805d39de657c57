"""Print the list of diagnostics and the page of one."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

from porter.diagnostics.codes import CODES, find_code, page


def list_text() -> str:
    """Return one aligned line for each code: code, name, severity, applicability."""
    width = max(len(code.name) for code in CODES.values())
    return "".join(
        f"{code.code}  {code.name:{width}}  {code.severity:7}  {code.applicability}\n"
        for code in CODES.values()
    )


def list_json() -> str:
    """Return the registry as a JSON list."""
    return json.dumps([asdict(code) for code in CODES.values()], indent=2) + "\n"


def page_json(name: str) -> str:
    """Return one code with its Markdown page as a JSON object.

    Raises PorterError (PRT703) for an unknown code.
    """
    code = find_code(name)
    return json.dumps(asdict(code) | {"page": page(code)}, indent=2, ensure_ascii=False) + "\n"


def print_page(name: str) -> None:
    """Print the page of one code: rendered on a terminal, as raw Markdown otherwise.

    Raises PorterError (PRT703) for an unknown code.
    """
    text = page(find_code(name))
    if not sys.stdout.isatty():
        sys.stdout.write(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(text))
