"""Read a file of torch.save (.pt, .pth, .bin) without running anything that it holds.

torch itself is not needed: its import alone takes more memory than the conversion. Both formats are
read, the zip archive of torch 1.6 and later and the stream of pickles before it.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Any, NoReturn

from porter.types import PorterError, Position
from porter.weights.location import Location, LocationReader, fail, printable, reason_of, unreadable
from porter.weights.pickles import DamagedPickleError, follow_pickle
from porter.weights.state_dict import find_state_dict
from porter.weights.tensor import FileCheckpoint
from porter.weights.torch_objects import Meaning, Storage, UnsafeNameError, locate_tensors

ZIP_MAGIC = b"PK\x03\x04"
LEGACY_MAGIC = 0x1950A86A20F9469CFC6C
LEGACY_PROTOCOL = 1001
PICKLE_LIMIT = 512 << 20


def open_torch_file(location: Location, key: str | None = None) -> FileCheckpoint:
    """Open a file of torch.save: a state dict, or the one that it holds below `key`.

    Raises PorterError: PRT508 where the pickle asks for more than tensors and plain containers,
    PRT507 where the file cannot be read or the state dict is not the only one, PRT703 for a `key`
    that leads to none.
    """
    try:
        start = bytearray(len(ZIP_MAGIC))
        location.read_into(0, memoryview(start))
        size = location.size()
        reader = _Archive if bytes(start) == ZIP_MAGIC else _Stream
        state, places = reader(location, size).read(key)
    except PorterError:
        raise
    except UnsafeNameError as error:
        raise _unsafe(location, str(error)) from error
    except DamagedPickleError as error:
        reason = f"its pickle is damaged, or no file of torch.save: {error}"
        raise unreadable(location, reason) from error
    except Exception as error:  # zipfile raises almost anything for a damaged archive
        reason = f"{type(error).__name__}: {reason_of(error)[:160]}"
        raise unreadable(location, reason) from error
    return FileCheckpoint(location, locate_tensors(location, state, places))


Places = dict[str, tuple[int, int]]
"""Where the bytes of each storage lie: offset and size, by the key of the storage."""


class _Archive:
    """The zip format: data.pkl, and each storage as a record that is not compressed."""

    def __init__(self, location: Location, size: int) -> None:
        self.location = location
        self.size = size

    def read(self, key: str | None) -> tuple[Mapping[Any, Any], Places]:
        with zipfile.ZipFile(
            io.BufferedReader(LocationReader(self.location, self.size))
        ) as archive:
            records = archive.infolist()
        names = {item.filename: item for item in records}
        if len(names) != len(records):
            fail(self.location, "its archive names a record twice")
        pickles = [name for name in names if name.count("/") == 1 and name.endswith("/data.pkl")]
        if len(pickles) != 1:
            fail(self.location, "its archive holds no data.pkl: no file of torch.save")
        folder = pickles[0].removesuffix("data.pkl")
        self._check_byte_order(names.get(f"{folder}byteorder"))
        offset, size = self._place(names[pickles[0]])
        if size > PICKLE_LIMIT:
            fail(self.location, f"its pickle has {size:,} bytes, {PICKLE_LIMIT:,} at most are read")
        meaning = Meaning()
        data = io.BytesIO(self._bytes(offset, size))
        loaded = follow_pickle(data, meaning.call, meaning.storage)
        state = find_state_dict(self.location, loaded, key)
        places = {}
        for storage in meaning.storages:
            record = names.get(f"{folder}data/{storage.key}")
            if record is None:
                fail(self.location, f"its archive lacks the storage {storage.key!r:.80}")
            places[storage.key] = self._place(record)
        return state, places

    def _check_byte_order(self, record: zipfile.ZipInfo | None) -> None:
        order = self._bytes(*self._place(record)) if record is not None else b"little"
        if order != b"little":
            fail(self.location, "its numbers are not little-endian")

    def _place(self, record: zipfile.ZipInfo) -> tuple[int, int]:
        """Return where a record's bytes lie, behind its own header, whose length may differ."""
        if record.compress_type != zipfile.ZIP_STORED or record.flag_bits & 1:
            fail(self.location, "its archive is compressed or encrypted: no file of torch.save")
        header = self._bytes(record.header_offset, 30)
        if header[:4] != ZIP_MAGIC:
            fail(self.location, "its archive is damaged: a record has no header")
        lengths = int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
        offset = record.header_offset + 30 + lengths
        if record.file_size != record.compress_size or offset + record.file_size > self.size:
            fail(self.location, "its archive is damaged: a record reaches past its end")
        return offset, record.file_size

    def _bytes(self, offset: int, size: int) -> bytes:
        if offset < 0 or size > PICKLE_LIMIT:
            fail(self.location, "its archive is damaged: a record is too large")
        buffer = bytearray(size)
        if self.location.read_into(offset, memoryview(buffer)) != size:
            fail(self.location, "it is truncated")
        return bytes(buffer)


class _Stream:
    """The format before torch 1.6: five pickles, then the storages one after the other."""

    def __init__(self, location: Location, size: int) -> None:
        self.location = location
        self.size = size

    def read(self, key: str | None) -> tuple[Mapping[Any, Any], Places]:
        raw = LocationReader(self.location, min(self.size, PICKLE_LIMIT))
        file = io.BufferedReader(raw)
        if self._plain(file) != LEGACY_MAGIC or self._plain(file) != LEGACY_PROTOCOL:
            self._damaged()
        system = self._plain(file)
        if not isinstance(system, dict) or system.get("little_endian") is not True:
            fail(self.location, "its numbers are not little-endian")
        meaning = Meaning()
        loaded = follow_pickle(file, meaning.call, meaning.storage)
        keys = self._plain(file)
        if not isinstance(keys, list) or sorted(map(str, keys)) != sorted(
            storage.key for storage in meaning.storages
        ):
            self._damaged()
        storages = {storage.key: storage for storage in meaning.storages}
        places = self._places(file.tell(), [storages[str(item)] for item in keys])
        return find_state_dict(self.location, loaded, key), places

    def _places(self, position: int, storages: list[Storage]) -> Places:
        places = {}
        for storage in storages:
            count = bytearray(8)
            self.location.read_into(position, memoryview(count))
            size = storage.size
            if int.from_bytes(count, "little") != storage.items or position + 8 + size > self.size:
                fail(self.location, "it is truncated, or a storage has another size than stated")
            places[storage.key] = (position + 8, size)
            position += 8 + size
        if position != self.size:
            fail(self.location, f"{self.size - position:,} bytes follow its last storage")
        return places

    def _plain(self, file: Any) -> Any:
        """Read a pickle that holds neither calls nor references."""

        def refuse(*_arguments: Any) -> NoReturn:
            raise DamagedPickleError("a call stands in its head")

        return follow_pickle(file, refuse, refuse)

    def _damaged(self) -> NoReturn:
        raise DamagedPickleError("its head is another one")


def _unsafe(location: Location, name: str) -> PorterError:
    return PorterError(
        "PRT508",
        f"unsafe checkpoint: its pickle asks for {printable(name)[:200]}; nothing of it was run",
        hint="save the model's state_dict() instead, best as .safetensors",
        position=Position(str(location)),
    )
