"""Feed damaged files to the readers: the answer is tensors or porter's own error."""

from __future__ import annotations

import io
import json
import pickle
import random
import struct
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from porter.types import PorterError
from porter.weights.dtypes import DTYPES
from porter.weights.formats import OutputTensor, layout
from porter.weights.location import Location
from porter.weights.read import open_checkpoint
from porter.weights.tensor import TensorInfo
from porter.weights.values import Source

SMALL = 1 << 16


class Bytes:
    """A file in memory."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.data = data

    def __str__(self) -> str:
        return self.name

    def kind(self) -> str:
        return "file"

    def files(self) -> list[str]:
        return [self.name]

    def join(self, name: str) -> Location:
        return Bytes(name, self.data)

    def parent(self) -> Location:
        return self

    def size(self) -> int:
        return len(self.data)

    def read_into(self, offset: int, buffer: memoryview) -> int:
        part = self.data[offset : offset + len(buffer)]
        buffer[: len(part)] = part
        return len(part)

    def stream(self, offset: int, size: int) -> Iterator[memoryview]:
        for begin in range(offset, offset + size, 16):
            part = self.data[begin : min(begin + 16, offset + size)]
            if len(part) < min(16, offset + size - begin):
                return
            yield memoryview(part)

    def stamp(self) -> str:
        return ""


def read_all(name: str, data: bytes) -> bool:
    """Open and read a file; tell whether it was taken. Any error but porter's own comes out."""
    suffixes = (".safetensors", ".pt", ".ckpt")
    refused = None
    try:
        opened = open_checkpoint(Bytes(name, data), suffixes=suffixes)
        for info in opened.tensors.values():
            # A view may repeat its storage: such a tensor is larger than its file, within limits.
            if info.size <= SMALL:
                value = opened.read(info.name)
                assert (value.shape, value.dtype) == (info.shape, info.dtype.storage)
                streamed = b"".join(map(bytes, opened.stream(info.name, 0, info.size)))
                assert streamed == value.tobytes()
    except PorterError as error:
        refused = error
    if refused is not None:
        assert refused.code in ("PRT507", "PRT508"), refused
        assert "\n" not in str(refused)
        assert len(str(refused)) < 2000
    return refused is None


def seeds() -> list[tuple[str, bytes]]:
    """Return small whole files of every format."""
    base = torch.arange(12.0).reshape(3, 4)
    state: dict[str, Any] = {
        "a.weight": base,
        "b": base.t(),
        "c": torch.ones(2, dtype=torch.bfloat16),
        "d": torch.nn.Parameter(torch.zeros(0, 3)),
        "e": torch.tensor(3),
    }
    found = []
    for modern in (True, False):
        file = io.BytesIO()
        torch.save({"state_dict": state}, file, _use_new_zipfile_serialization=modern)
        found.append(("m.pt", file.getvalue()))
    kinds = (("a", (3, 2), "float32"), ("b", (), "int64"), ("c", (4,), "bool"))
    tensors = [
        OutputTensor(name, Source(TensorInfo(name, shape, DTYPES[dtype])), DTYPES[dtype])
        for name, shape, dtype in kinds
    ]
    for suffix in (".safetensors", ".ckpt"):
        data = b"".join(
            piece if isinstance(piece, bytes) else bytes(piece.end - piece.begin)
            for piece in layout(suffix, tensors)
        )
        found.append((f"m{suffix}", data))
    return found


SEEDS = seeds()
INTERESTING = [0, 1, 2, 0x7F, 0x80, 0xFF, 0x28, 0x2E, 0x52, 0x63, 0x80]
WORDS = [
    b"\xff" * 8,
    b"\0" * 8,
    b"\x7f" + b"\xff" * 7,
    b"cos\nsystem\n",
    b"[" * 50,
    b"(tR.",
    b"}u.",
]


def damaged(data: bytes, source: random.Random) -> bytes:
    """Return the file with a few changes such as damage and malice make."""
    changed = bytearray(data)
    for _ in range(source.choice((1, 1, 1, 2, 3, 8))):
        if not changed:
            break
        place = source.randrange(len(changed))
        kind = source.randrange(7)
        if kind == 0:
            changed[place] ^= 1 << source.randrange(8)
        elif kind == 1:
            changed[place] = source.choice(INTERESTING)
        elif kind == 2:
            del changed[place : place + source.choice((1, 2, 4, 64))]
        elif kind == 3:
            word = source.choice(WORDS)
            changed[place : place + len(word)] = word
        elif kind == 4:
            changed[place:place] = source.choice(WORDS)
        elif kind == 5:
            end = source.randrange(len(changed))
            changed[place:place] = changed[end : end + source.choice((1, 8, 80))]
        else:
            del changed[place:]
    return bytes(changed)


def fuzz(count: int, seed: int) -> int:
    """Read `count` damaged files; return how many were still taken for whole ones."""
    source = random.Random(seed)
    taken = 0
    for _ in range(count):
        name, data = source.choice(SEEDS)
        changed = damaged(data, source)
        try:
            taken += read_all(name, changed)
        except BaseException:
            Path("damaged.bin").write_bytes(changed)
            raise
    return taken


def test_whole_files_are_taken() -> None:
    assert all(read_all(name, data) for name, data in SEEDS)


def test_damaged_files_give_tensors_or_one_line(folder: Path) -> None:
    taken = fuzz(20_000, 1)
    assert 100 < taken < 15_000


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_a_million_damaged_files_give_tensors_or_one_line(folder: Path, part: int) -> None:
    fuzz(100_000, 100 + part)


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(["m.pt", "m.safetensors", "m.ckpt"]), st.binary(max_size=200))
def test_any_bytes_give_one_line(name: str, data: bytes) -> None:
    assert not read_all(name, data) or data == b""


NUMBERS = st.one_of(st.integers(-2, 2**64), st.floats(), st.booleans(), st.none(), st.text())
SIZES = st.one_of(NUMBERS, st.lists(NUMBERS, max_size=3))
ENTRIES = st.fixed_dictionaries(
    {},
    optional={
        "dtype": st.one_of(st.sampled_from(["F32", "BF16", "BOOL", "C64", "X"]), NUMBERS),
        "shape": SIZES,
        "data_offsets": SIZES,
    },
)


@settings(deadline=None, max_examples=300)
@given(st.dictionaries(st.text(max_size=3), st.one_of(ENTRIES, NUMBERS), max_size=3), st.data())
def test_any_header_gives_one_line(header: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(header).encode()
    tail = data.draw(st.binary(max_size=16))
    read_all("m.safetensors", struct.pack("<Q", len(text)) + text + tail)


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.recursive(
        st.one_of(NUMBERS, st.binary(max_size=4)),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=2), inner, max_size=3)
        ),
        max_leaves=8,
    ),
    st.integers(0, 5),
)
def test_plain_objects_are_followed_in_every_protocol(value: Any, protocol: int) -> None:
    from porter.weights.pickles import follow_pickle

    def refuse(*_arguments: Any) -> Any:
        raise AssertionError("plain objects call nothing")

    data = pickle.dumps(value, protocol)
    # Protocols without bytes of their own call a function for them.
    if b"_codecs" not in data and b"__builtin__\nbytes" not in data:
        found = follow_pickle(io.BytesIO(data), refuse, refuse)
        assert repr(found) == repr(value)


BOMBS: dict[str, Callable[[], bytes]] = {
    "nested lists": lambda: b"\x80\x02" + b"]" * 100_000 + b"a" * 99_999 + b".",
    "nested tuples as a key": lambda: b"\x80\x02}" + b")" + b"2\x86" * 60 + b"K\x01s.",
    "a list that holds itself": lambda: b"\x80\x02]q\x00h\x00a.",
    "a long number": lambda: (
        b"\x80\x02\x8b" + struct.pack("<i", 1 << 20) + b"\x7f" * (1 << 20) + b"."
    ),
    "a text of gigabytes": lambda: b"\x80\x02X" + b"\xff" * 4 + b".",
    "a memo of millions": lambda: b"\x80\x02Nr\xff\xff\xff\x7f.",
}


def test_a_name_in_an_error_is_one_line() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        pickled = b"\x80\x02X\x05\0\0\0a\n\x1b[mX\x01\0\0\0b\x93)R."
        archive.writestr("m/data.pkl", pickled)
    with pytest.raises(PorterError) as caught:
        open_checkpoint(Bytes("m.pt", file.getvalue()))
    assert "asks for a \\x1b[m.b; nothing" in str(caught.value)


@pytest.mark.parametrize("name", BOMBS)
def test_a_pickle_that_would_take_for_ever_is_refused(name: str) -> None:
    assert not read_all("m.pt", BOMBS[name]())


def test_an_archive_that_unpacks_to_gigabytes_is_refused(folder: Path) -> None:
    with zipfile.ZipFile(folder / "m.pt", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("m/data.pkl", np.zeros(1 << 24, np.uint8).tobytes())
    assert not read_all("m.pt", (folder / "m.pt").read_bytes())
