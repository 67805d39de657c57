"""Read the catalogue of MindSpore's messages, and find those that a text holds."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources


@dataclass(frozen=True, slots=True)
class Message:
    """One message: how to know it, what it says, what it means, and how to make sure."""

    id: str
    pattern: re.Pattern[str]
    says: str
    means: str
    confirm: str
    rules: tuple[str, ...]
    versions: tuple[str, ...]
    sure: str
    mode: str
    example: str
    inputs: str | None = None
    history: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A message that stands in a text."""

    message: Message
    text: str


@lru_cache(maxsize=1)
def catalogue() -> tuple[Message, ...]:
    """Return all known messages."""
    place = resources.files("porter.check") / "messages.toml"
    document = tomllib.loads(place.read_text(encoding="utf-8"))
    return tuple(
        Message(
            **{
                **row,
                "pattern": re.compile(row["pattern"]),
                "rules": tuple(row["rules"]),
                "versions": tuple(row["versions"]),
            }
        )
        for row in document["message"]
    )


def find_messages(text: str) -> tuple[Found, ...]:
    """Return the known messages of a text, in the order in which they stand there."""
    found = []
    for message in catalogue():
        match = message.pattern.search(text)
        if match is not None:
            start = text.rfind("\n", 0, match.start()) + 1
            end = text.find("\n", match.end())
            line = text[start : end if end >= 0 else len(text)].strip()
            found.append((match.start(), Found(message, line)))
    return tuple(item for _, item in sorted(found, key=lambda pair: pair[0]))
