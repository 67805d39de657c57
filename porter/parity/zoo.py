"""Read one model of a zoo, a JSON list of model classes with small inputs, as a recipe."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from porter.parity.fields import bad_value
from porter.types import PorterError, Position


def entry_document(text: str, path: Path, identifier: str) -> dict[str, Any]:
    """Return the entry `identifier` of the JSON `text` as the plain data of a recipe.

    Raises PorterError PRT701 where there is no such entry, PRT703 where it needs stand-ins for
    modules that are not there.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        position = Position(str(path), error.lineno, error.colno)
        raise PorterError("PRT701", f"not JSON: {error.msg}", position=position) from None
    entries = data["models"] if isinstance(data, dict) else data
    entry = next((item for item in entries if item["id"] == identifier), None)
    if entry is None:
        raise PorterError("PRT701", f"no entry {identifier}", position=Position(str(path)))
    if entry.get("stubs"):
        bad_value("stubs", f"{identifier} needs stand-ins for {', '.join(entry['stubs'])}")
    source = {"file": entry["file"]} if entry.get("file") else {"module": entry["module"]}
    build = {key: entry[key] for key in ("args", "kwargs") if key in entry}
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
            "ignore_outputs": ["past_key_values", "cache_params", "state"],
        },
    }
