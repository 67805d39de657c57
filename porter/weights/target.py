"""Put files in place as a whole: written in a folder beside the target, then renamed.

The folder keeps what an interrupted run has finished, so that the next one can go on. It is locked
while a run writes into it; a lock ends with its process, however that ends.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from porter.types import PorterError, Position
from porter.weights.dtypes import CastReport
from porter.weights.location import Location
from porter.weights.shards import Written, checksum

JOURNAL = "journal.jsonl"
LOCK = "lock"
OLD = "old"
MANIFEST_NAME = "porter-weights.json"
# Of Linux's linux/fcntl.h and linux/fs.h.
AT_FDCWD = -100
RENAME_EXCHANGE = 2


def check_output(path: Path, suffixes: Sequence[str], files: Sequence[Location]) -> None:
    """Raise PorterError (PRT405) where `path` cannot be the output of converting `files`."""
    if path.suffix and path.suffix not in suffixes:
        raise not_writable(path, f"the name must end in {' or '.join(suffixes)}")
    if path.exists() and any(_is_same(path, file) for file in files):
        raise not_writable(path, "it is the checkpoint itself")
    if path.suffix and path.is_dir():
        raise not_writable(path, "it is a folder")
    if not path.suffix and path.exists() and not _is_replaceable(path):
        raise not_writable(path, "it is no folder of converted weights")
    if not path.absolute().parent.is_dir():
        raise not_writable(path, "its folder does not exist")


def manifest_path(output: Path) -> Path:
    """Return where the manifest of an output lies: in the folder, or beside the file."""
    if output.suffix:
        return output.with_name(f"{output.name}.{MANIFEST_NAME}")
    return output / MANIFEST_NAME


class Target:
    """The files of one output on their way."""

    def __init__(self, output: Path, work: Path) -> None:
        self.output = output
        self.work = work
        self._finished: dict[str, Written] = {}

    def start(self, key: str, resume: bool) -> None:
        """Take up an interrupted run of the same `key`, or begin with an empty folder.

        Raises PorterError (PRT703) where `resume` is asked for and the run was another one.
        """
        lines = self._read_journal() if resume else []
        if lines and lines[0] != key:
            raise PorterError(
                "PRT703",
                "the unfinished output was made from another checkpoint, or with other options",
                hint="leave --resume out to begin again",
                position=Position(str(self.output)),
            )
        for line in lines[1:]:
            written = _from_json(line)
            path = self.path(written.file)
            if _is_unchanged(path, written):
                self._finished[written.file] = written
        for item in self.work.iterdir():
            if item.name not in (LOCK, JOURNAL, *self._finished):
                _remove(item)
        journal = self.work / JOURNAL
        text = [key, *(_to_json(item) for item in self._finished.values())]
        aside = self.work / f"{JOURNAL}.new"
        aside.write_text("".join(f"{line}\n" for line in text), encoding="utf-8")
        aside.replace(journal)

    def path(self, name: str) -> Path:
        """Return where a file is written."""
        return self.work / name

    def finished(self, name: str) -> Written | None:
        """Return what an interrupted run has written of that name."""
        return self._finished.get(name)

    def note(self, written: Written) -> None:
        """Remember that a file is whole."""
        with (self.work / JOURNAL).open("a", encoding="utf-8") as journal:
            journal.write(f"{_to_json(written)}\n")
            journal.flush()
            os.fsync(journal.fileno())
        self._finished[written.file] = written

    def finish(self, texts: dict[str, str], manifest: str | None) -> None:
        """Put everything in place. `texts` are further files of a folder; raises OSError."""
        if self.output.suffix:
            (name,) = self._finished
            if manifest is not None:
                aside = self.path(MANIFEST_NAME)
                _write(aside, manifest)
                aside.replace(manifest_path(self.output))
            else:
                # One of an earlier output would speak of other weights.
                manifest_path(self.output).unlink(missing_ok=True)
            self.path(name).replace(self.output)
        else:
            fresh = self.work / "fresh"
            fresh.mkdir()
            for name in self._finished:
                self.path(name).replace(fresh / name)
            extra = texts if manifest is None else texts | {MANIFEST_NAME: manifest}
            for name, text in extra.items():
                _write(fresh / name, text)
            _sync_folder(fresh)
            if not self.output.exists():
                fresh.replace(self.output)
            elif not _exchange(fresh, self.output):
                self.output.replace(self.work / OLD)
                fresh.replace(self.output)
        _sync_folder(self.output.absolute().parent)
        self.forget()

    def forget(self) -> None:
        """Let what was written be removed: it must not become the output."""
        self._finished = {}

    def keeps(self) -> bool:
        """Tell whether there is anything that a later run could use."""
        return bool(self._finished)

    def _read_journal(self) -> list[str]:
        path = self.work / JOURNAL
        if not path.is_file():
            return []
        # The last line may be torn.
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
        return [line.rstrip("\n") for line in lines if line.endswith("\n")]


@contextmanager
def locked_target(output: Path) -> Iterator[Target]:
    """Yield the target for the time that this run alone may write it.

    The folder beside it is removed at the end, unless an error leaves finished files in it. Raises
    PorterError (PRT405) where another run writes the same output, or the disk refuses.
    """
    from filelock import FileLock, Timeout

    work = output.absolute().with_name(f".{output.name}.porter")
    try:
        work.mkdir(exist_ok=True)
        lock = FileLock(work / LOCK, timeout=0)
        lock.acquire()
    except Timeout:
        raise not_writable(output, "another run is writing it") from None
    except OSError as error:
        raise not_writable(output, error.strerror or str(error)) from error
    target = Target(output, work)
    try:
        if (work / OLD).exists() and not output.exists():
            # A run was killed between its two renames.
            (work / OLD).replace(output)
        yield target
    except OSError as error:
        raise not_writable(
            output,
            error.strerror or str(error),
            "--resume goes on with the files that are finished" if target.keeps() else None,
        ) from error
    finally:
        if not target.keeps():
            shutil.rmtree(work, ignore_errors=True)
        lock.release()


def not_writable(path: Path, reason: str, hint: str | None = None) -> PorterError:
    """Return the error for an output that cannot be written."""
    message = f"cannot write the output: {reason}"
    return PorterError("PRT405", message, hint=hint, position=Position(str(path)))


def _is_same(path: Path, file: Location) -> bool:
    source = Path(str(file))
    try:
        return source.exists() and (
            path.samefile(source) or path.resolve() in source.resolve().parents
        )
    except OSError:
        return False


def _is_replaceable(path: Path) -> bool:
    """Tell whether a folder is empty, or one that porter wrote; others may hold somebody's work."""
    return path.is_dir() and ((path / MANIFEST_NAME).is_file() or not any(path.iterdir()))


def _is_unchanged(path: Path, written: Written) -> bool:
    if not path.is_file() or path.stat().st_size != written.size:
        return False
    return written.sha256 is None or checksum(path) == written.sha256


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _write(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _exchange(one: Path, two: Path) -> bool:
    """Let two folders change places in one step; tell whether the system could."""
    if sys.platform != "linux":
        return False
    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    if rename is None:
        return False
    paths = (os.fsencode(one.absolute()), os.fsencode(two.absolute()))
    status: int = rename(AT_FDCWD, paths[0], AT_FDCWD, paths[1], RENAME_EXCHANGE)
    return status == 0


def _sync_folder(folder: Path) -> None:
    """Make the rename last through a power failure; Windows cannot open a folder."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _to_json(written: Written) -> str:
    return json.dumps(asdict(written), ensure_ascii=False)


def _from_json(line: str) -> Written:
    data = json.loads(line)
    data["casts"] = {name: CastReport(**item) for name, item in data["casts"].items()}
    return Written(**data)
