"""Explain a traceback or log of MindSpore: the known messages, and the lines of the user's code."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from porter.check.checker import check_files
from porter.check.messages import Found, find_messages
from porter.types import Finding, PorterError, Position

IN_GRAPH = re.compile(r"^# \d+ In file (?P<path>[^\n]+?\.py):(?P<line>\d+)", re.MULTILINE)
IN_PYTHON = re.compile(r'^ *File "(?P<path>[^"\n]+\.py)", line (?P<line>\d+)', re.MULTILINE)
LIBRARY = re.compile(r"[/\\](?:site|dist)-packages[/\\]|[/\\]lib[/\\]python\d")
SURE = {
    "certain": "this message has no other cause that is known",
    "likely": "the usual cause of this message",
    "hint": "one of several causes",
}
RAISED = re.compile(r"^(?:\w+\.)*\w*(?:Error|Exception)\b: .+", re.MULTILINE)
NEAR = 2


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is known of a log."""

    found: tuple[Found, ...]
    places: tuple[Position, ...]
    findings: tuple[Finding, ...]
    raised: str | None

    def at(self, found: Found) -> tuple[Finding, ...]:
        """Return the checker's findings that are the cause that a message names."""
        return tuple(item for item in self.findings if item.code in found.message.rules)


def explain(text: str) -> Explanation:
    """Find the known messages of a log, and check the files that it names."""
    places = _places(text)
    files = [Path(path) for path in dict.fromkeys(place.path for place in places)]
    checked = check_files([path for path in files if path.is_file()])
    raised = RAISED.findall(text)
    return Explanation(
        find_messages(text),
        places,
        tuple(problem.finding for problem in checked.problems),
        raised[-1] if raised else None,
    )


def _places(text: str) -> tuple[Position, ...]:
    """Return the lines of the user's own code that a log names, the innermost first.

    The frames of the graph are nearer to the cause than those of Python, which end at the call of
    the Cell.
    """
    found: dict[Position, None] = {}
    for pattern in (IN_GRAPH, IN_PYTHON):
        matches: Iterable[re.Match[str]] = reversed(list(pattern.finditer(text)))
        for match in matches:
            if not LIBRARY.search(match["path"]):
                found.setdefault(Position(match["path"], int(match["line"])))
    return tuple(found)


def explain_command(source: str, output_format: str) -> int:
    """Print what is known of a log; 0 where a message is known, 1 where none is.

    Raises:
        PorterError: PRT804 where the log cannot be read.
    """
    explanation = explain(_read(source))
    if output_format == "json":
        sys.stdout.write(_json(explanation))
    else:
        sys.stdout.write(_text(explanation))
    return 0 if explanation.found else 1


def _read(source: str) -> str:
    if source == "-":
        return sys.stdin.read()
    try:
        return Path(source).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise PorterError("PRT804", f"cannot read the log {source}: {error.strerror}") from error


def _text(explanation: Explanation) -> str:
    lines: list[str] = []
    for found in explanation.found:
        message = found.message
        lines += [
            f"{message.id}: {found.text[:300]}",
            f"  says:    {message.says}",
            f"  means:   {message.means}",
            f"  confirm: {message.confirm}",
            f"  sure:    {message.sure}: {SURE[message.sure]}",
            f"  seen on: MindSpore {', '.join(message.versions)}",
        ]
        if message.history is not None:
            lines.append(f"  history: {message.history}")
        if message.rules:
            lines.append(f"  rules:   {', '.join(message.rules)} (porter rule CODE)")
        for finding in explanation.at(found):
            lines.append(f"  found:   {finding}")
        lines.append("")
    if not explanation.found:
        raised = f": {explanation.raised[:300]}" if explanation.raised else ""
        lines += [f"no known message of MindSpore in this log{raised}", ""]
    if explanation.places:
        lines.append("lines of your code that the log names, the nearest first:")
        lines += [
            f"  {place.path}:{place.line}{_near(explanation, place)}"
            for place in explanation.places
        ]
    return "\n".join(lines).rstrip() + "\n"


def _near(explanation: Explanation, place: Position) -> str:
    """Return the codes that the checker finds at a line that the log names."""
    path = Path(place.path)
    codes = {
        item.code
        for item in explanation.findings
        if Path(item.position.path).name == path.name
        and abs(item.position.line - place.line) <= NEAR
    }
    return f"  {', '.join(sorted(codes))}" if codes else ""


def _json(explanation: Explanation) -> str:
    data = {
        "messages": [
            {
                "id": found.message.id,
                "text": found.text,
                "says": found.message.says,
                "means": found.message.means,
                "confirm": found.message.confirm,
                "sure": found.message.sure,
                "versions": list(found.message.versions),
                "rules": list(found.message.rules),
                "history": found.message.history,
                "findings": [item.to_json() for item in explanation.at(found)],
            }
            for found in explanation.found
        ],
        "places": [{"path": place.path, "line": place.line} for place in explanation.places],
        "raised": explanation.raised,
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
