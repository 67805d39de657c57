"""Open a checkpoint of any supported kind: a file, an index of shards, or a folder of one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from types import MappingProxyType
from typing import Any

from porter.types import PorterError, Position
from porter.weights.dtypes import Array
from porter.weights.location import Location, fail, locate, read_bytes, reason_of, unreadable
from porter.weights.read_ckpt import open_ckpt
from porter.weights.read_safetensors import open_safetensors
from porter.weights.read_torch import open_torch_file
from porter.weights.tensor import Checkpoint, TensorInfo

TORCH_SUFFIXES = (".pt", ".pth", ".bin")
SUFFIXES = (".safetensors", *TORCH_SUFFIXES)
MINDSPORE_SUFFIXES = (".ckpt", ".safetensors")
INDEX_SUFFIX = ".index.json"
LFS_POINTER = b"version https://git-lfs"
# What save_pretrained calls the model; a Trainer leaves other .bin and .pt files beside it.
STEMS = ("model", "pytorch_model")


def open_checkpoint(
    place: Path | str | Location,
    *,
    key: str | None = None,
    suffixes: tuple[str, ...] = SUFFIXES,
) -> Checkpoint:
    """Open a file that ends in one of `suffixes`, an `*.index.json`, or a folder that holds one.

    `place` is a path or a URL; `key` names the state dict in a torch file that holds several.

    Raises PorterError: PRT507 where it cannot be read, or where a folder leaves a choice; PRT508
    where a pickle asks for more than tensors; PRT703 for a `key` that leads nowhere.
    """
    location = locate(place)
    try:
        kind = location.kind()
        if kind == "missing":
            fail(location, "there is no such file or folder")
        if kind == "folder":
            location = _choose(location, suffixes)
    except PorterError:
        raise
    except Exception as error:  # fsspec passes on whatever its backends raise
        raise unreadable(location, reason_of(error)) from error
    if location.name.endswith(INDEX_SUFFIX):
        return ShardedCheckpoint(location, key, suffixes)
    return _open_file(location, key, suffixes)


def open_mindspore_checkpoint(place: Path | str | Location) -> Checkpoint:
    """Open a .ckpt or .safetensors file, an index of such, or a folder; raises PRT507."""
    return open_checkpoint(place, suffixes=MINDSPORE_SUFFIXES)


def _open_file(location: Location, key: str | None, suffixes: tuple[str, ...]) -> Checkpoint:
    suffix = PurePosixPath(location.name).suffix
    if suffix not in suffixes:
        fail(location, f"the name must end in {', '.join(suffixes)} or {INDEX_SUFFIX}")
    _refuse_pointer(location)
    if suffix in TORCH_SUFFIXES:
        return open_torch_file(location, key)
    if key is not None:
        raise PorterError(
            "PRT703",
            f"a {suffix} file holds no state dicts to choose from with --key",
            position=Position(str(location)),
        )
    return open_ckpt(location) if suffix == ".ckpt" else open_safetensors(location)


class ShardedCheckpoint:
    """The tensors of an index file, each in the shard that the index names."""

    def __init__(self, index: Location, key: str | None, suffixes: tuple[str, ...]) -> None:
        """Open every shard; raises PorterError (PRT507) also where index and shards differ."""
        self._index = index
        self._places = _weight_map(index, suffixes)
        folder = index.parent()
        self._shards: dict[str, Checkpoint] = {}
        for shard in dict.fromkeys(self._places.values()):
            self._shards[shard] = self._open(folder.join(shard), key, suffixes)
        tensors = {name: self._find(name) for name in self._places}
        self._refuse_unlisted()
        self.tensors: Mapping[str, TensorInfo] = MappingProxyType(tensors)

    def read(self, name: str) -> Array:
        """Return one tensor from its shard; raises PorterError (PRT507), KeyError."""
        return self._shards[self._places[name]].read(name)

    def stream(self, name: str, begin: int, end: int) -> Iterator[memoryview]:
        """Yield bytes of one tensor from its shard."""
        return self._shards[self._places[name]].stream(name, begin, end)

    def files(self) -> list[Location]:
        """Return the index and every shard."""
        return [self._index, *(file for shard in self._shards.values() for file in shard.files())]

    def _open(self, shard: Location, key: str | None, suffixes: tuple[str, ...]) -> Checkpoint:
        try:
            if shard.kind() == "missing":
                fail(shard, "there is no such file or folder")
        except OSError as error:
            raise unreadable(shard, reason_of(error)) from error
        return _open_file(shard, key, suffixes)

    def _find(self, name: str) -> TensorInfo:
        shard = self._places[name]
        info = self._shards[shard].tensors.get(name)
        if info is None:
            reason = f"the index places tensor {name!r} in {shard}, which does not hold it"
            fail(self._index, reason)
        return info

    def _refuse_unlisted(self) -> None:
        for shard, opened in self._shards.items():
            for name in opened.tensors:
                if self._places.get(name) != shard:
                    fail(self._index, f"{shard} holds tensor {name!r}, against the index")


def _choose(folder: Location, suffixes: tuple[str, ...]) -> Location:
    """Return the checkpoint of a folder; never choose between two.

    The names that save_pretrained gives come first, an index before files.
    """
    files = folder.files()
    known = [f"{stem}{suffix}" for stem in STEMS for suffix in suffixes]
    for wanted in (
        [name for name in files if name.removesuffix(INDEX_SUFFIX) in known and name not in known],
        [name for name in files if name.endswith(INDEX_SUFFIX)],
        [name for name in files if name in known],
        [name for name in files if PurePosixPath(name).suffix in suffixes],
    ):
        if len(wanted) > 1:
            reason = f"the folder leaves a choice between {', '.join(wanted)}"
            fail(folder, reason, "give the file instead")
        if wanted:
            return folder.join(wanted[0])
    raise unreadable(
        folder, f"the folder holds no {', '.join(suffixes)} and no {INDEX_SUFFIX} file"
    )


def _weight_map(index: Location, suffixes: tuple[str, ...]) -> dict[str, str]:
    """Return tensor name -> shard file name; a shard lies below the folder of the index."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            fail(index, "the index names a tensor twice")
        return found

    try:
        text = read_bytes(index).decode("utf-8")
        parsed = json.loads(text, object_pairs_hook=unique)
    except (ValueError, RecursionError):
        fail(index, "the index is no JSON")
    places = parsed.get("weight_map") if isinstance(parsed, dict) else None
    if not isinstance(places, dict) or not places:
        fail(index, "the index is no JSON object with a weight_map")
    for shard in places.values():
        if not isinstance(shard, str) or not _inside(shard):
            fail(index, f"the index names the shard {shard!r:.200}, which is not inside its folder")
        if PurePosixPath(shard).suffix not in suffixes:
            fail(index, f"the index names the shard {shard!r:.200}, which is no checkpoint file")
    return places


def _inside(name: str) -> bool:
    """Tell whether a relative path, read by the rules of any system, stays where it starts.

    Only the text is judged: shards that are symbolic links out of the folder are common.
    """
    if "\0" in name:
        return False
    paths = (PurePosixPath(name), PureWindowsPath(name))
    return not any(path.is_absolute() or path.drive or ".." in path.parts for path in paths)


def _refuse_pointer(location: Location) -> None:
    start = bytearray(len(LFS_POINTER))
    try:
        location.read_into(0, memoryview(start))
    except Exception as error:  # fsspec passes on whatever its backends raise
        raise unreadable(location, reason_of(error)) from error
    if bytes(start) == LFS_POINTER:
        fail(location, "it is a Git LFS pointer, not the tensors", "fetch it with git lfs pull")
