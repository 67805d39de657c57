"""Open a checkpoint of any supported kind: a file, an index of shards, or a folder of one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from types import MappingProxyType
from typing import Any, NoReturn

from porter.types import PorterError, Position
from porter.weights.dtypes import Array
from porter.weights.read_safetensors import SafetensorsFile
from porter.weights.read_torch import open_torch_file
from porter.weights.tensor import Checkpoint, TensorInfo

TORCH_SUFFIXES = (".pt", ".pth", ".bin")
SUFFIXES = (".safetensors", *TORCH_SUFFIXES)
INDEX_SUFFIX = ".index.json"
LFS_POINTER = b"version https://git-lfs"


def open_checkpoint(path: Path) -> Checkpoint:
    """Open .safetensors, .pt, .pth, .bin, an `*.index.json`, or a folder that holds one of them.

    Raises PorterError: PRT507 where it cannot be read, or where a folder leaves a choice; PRT508
    where a pickle asks for more than tensors.
    """
    if not path.exists():
        _fail(path, "there is no such file or folder")
    if path.is_dir():
        return open_checkpoint(_choose(path))
    if path.name.endswith(INDEX_SUFFIX):
        return ShardedCheckpoint(path)
    if path.suffix not in SUFFIXES:
        _fail(path, f"the name must end in {', '.join(SUFFIXES)} or {INDEX_SUFFIX}")
    _refuse_pointer(path)
    return SafetensorsFile(path) if path.suffix == ".safetensors" else open_torch_file(path)


class ShardedCheckpoint:
    """The tensors of an index file, each in the shard that the index names."""

    def __init__(self, path: Path) -> None:
        """Open every shard; raises PorterError (PRT507) also where index and shards differ."""
        self._shards: dict[str, Checkpoint] = {}
        self._places = _weight_map(path)
        try:
            for shard in dict.fromkeys(self._places.values()):
                self._shards[shard] = open_checkpoint(path.parent / shard)
            tensors = {name: self._find(path, name) for name in self._places}
            self._refuse_unlisted(path)
        except PorterError:
            self.close()
            raise
        self.tensors: Mapping[str, TensorInfo] = MappingProxyType(tensors)

    def read(self, name: str) -> Array:
        """Return one tensor from its shard; raises PorterError (PRT507), KeyError."""
        return self._shards[self._places[name]].read(name)

    def close(self) -> None:
        """Close every shard."""
        for shard in self._shards.values():
            shard.close()

    def _find(self, path: Path, name: str) -> TensorInfo:
        shard = self._places[name]
        info = self._shards[shard].tensors.get(name)
        if info is None:
            _fail(path, f"the index places tensor {name!r} in {shard}, which does not hold it")
        return info

    def _refuse_unlisted(self, path: Path) -> None:
        for shard, opened in self._shards.items():
            for name in opened.tensors:
                if self._places.get(name) != shard:
                    _fail(path, f"{shard} holds tensor {name!r}, against the index")


def _choose(folder: Path) -> Path:
    """Return the one index of a folder, else its one checkpoint file; never choose between two."""
    try:
        files = sorted(item for item in folder.iterdir() if item.is_file())
    except OSError as error:
        _fail(folder, error.strerror or str(error))
    found = [item for item in files if item.name.endswith(INDEX_SUFFIX)]
    found = found or [item for item in files if item.suffix in SUFFIXES]
    if not found:
        _fail(folder, f"the folder holds no {', '.join(SUFFIXES)} and no {INDEX_SUFFIX} file")
    if len(found) > 1:
        names = ", ".join(item.name for item in found)
        _fail(folder, f"the folder leaves a choice between {names}", "give the file instead")
    return found[0]


def _weight_map(path: Path) -> dict[str, str]:
    """Return tensor name -> shard file name; a shard lies below the folder of the index."""
    parsed: Any = None
    try:
        parsed = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        _fail(path, error.strerror or str(error))
    except (ValueError, RecursionError):
        _fail(path, "the index is no JSON")
    places = parsed.get("weight_map") if isinstance(parsed, dict) else None
    if not isinstance(places, dict) or not places:
        _fail(path, "the index is no JSON object with a weight_map")
    for shard in places.values():
        if not isinstance(shard, str) or not _inside(shard):
            _fail(path, f"the index names the shard {shard!r}, which is not inside its folder")
        if Path(shard).suffix not in SUFFIXES:
            _fail(path, f"the index names the shard {shard!r}, which is no checkpoint file")
    return places


def _inside(name: str) -> bool:
    """Tell whether a relative path, read by the rules of any system, stays where it starts.

    Only the text is judged: shards that are symbolic links out of the folder are common.
    """
    paths = (PurePosixPath(name), PureWindowsPath(name))
    return not any(path.is_absolute() or path.drive or ".." in path.parts for path in paths)


def _refuse_pointer(path: Path) -> None:
    try:
        with path.open("rb") as file:
            start = file.read(len(LFS_POINTER))
    except OSError as error:
        _fail(path, error.strerror or str(error))
    if start == LFS_POINTER:
        _fail(path, "it is a Git LFS pointer, not the tensors", "fetch it with git lfs pull")


def _fail(path: Path, reason: str, hint: str | None = None) -> NoReturn:
    raise PorterError(
        "PRT507", f"unreadable checkpoint: {reason}", hint=hint, position=Position(str(path))
    )
