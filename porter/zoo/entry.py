"""Read a zoo, a JSON list of model classes with small inputs, each as the data of a recipe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from porter.documents import read_document
from porter.types import PorterError, Position


def read_zoo(path: Path) -> list[dict[str, Any]]:
    """Return the entries of a zoo file. Raises PorterError PRT701 where it is none."""
    position = Position(str(path))
    data = read_document(path)
    entries = data.get("models") if isinstance(data, dict) else data
    if not isinstance(entries, list) or not entries:
        raise PorterError("PRT701", "no list of models", position=position)
    for number, entry in enumerate(entries):
        missing = [key for key in ("id", "cls", "how", "inputs") if key not in _table(entry)]
        if missing:
            raise PorterError(
                "PRT702", f"model {number} has no {', '.join(missing)}", position=position
            )
    return entries


def _table(entry: Any) -> dict[str, Any]:
    return entry if isinstance(entry, dict) else {}


def find_entry(entries: list[dict[str, Any]], identifier: str, path: Path) -> dict[str, Any]:
    """Return the entry called `identifier`. Raises PorterError PRT703 where there is none."""
    found = next((entry for entry in entries if entry["id"] == identifier), None)
    if found is None:
        raise PorterError("PRT703", f"no entry {identifier}", position=Position(str(path)))
    return found


def entry_document(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry as the plain data of a recipe."""
    source = {"file": entry["file"]} if entry.get("file") else {"module": entry["module"]}
    build: dict[str, Any] = {key: entry[key] for key in ("args", "kwargs") if key in entry}
    build["attention"] = entry.get("attn", "eager") or ""
    if entry["how"] == "hf":
        module = entry.get("config_module", "transformers")
        build["config_class"] = f"{module}:{entry['config_cls']}"
        build["config"] = entry["config"]
    return {
        "source": {**source, "class": entry["cls"]},
        "build": build,
        "weights": {
            "seed": entry.get("seed", 0),
            "scale": entry.get("wscale", 1.0),
            "keep_vectors": bool(entry.get("keep_1d", False)),
            "random_buffers": entry.get("rand_buffers", []),
        },
        "cases": [
            {"inputs": entry["inputs"], "positional": entry.get("positional", []), "name": "zoo"}
        ],
        "verify": {
            "method": entry.get("method") or "__call__",
            "ignore_outputs": ["*.past_key_values", "*.cache_params", "*.cache", "state"],
        },
    }
