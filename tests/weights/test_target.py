"""Test that an output is there as a whole or not at all, whatever happens on the way."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from porter.types import PorterError
from porter.weights import engine, target
from porter.weights.settings import read_size
from porter.weights.shards import Written, checksum, write_shard
from porter.weights.target import MANIFEST_NAME, locked_target
from tests.weights.plain import convert_plain, read_folder, start, write_shards


def assert_whole(output: Path, held: dict[str, Any]) -> None:
    """Compare every tensor, and every file with its checksum."""
    found = read_folder(output)
    for name, value in held.items():
        assert np.array_equal(found[name.replace(".weight", ".gamma")], value), name
    assert len(found) == len(held)
    manifest = json.loads((output / MANIFEST_NAME).read_text())
    for item in manifest["files"]:
        assert checksum(output / item["file"]) == item["sha256"]


def test_a_folder_is_divided_into_files_with_an_index(folder: Path) -> None:
    held = write_shards(folder / "in")
    report = convert_plain(folder / "in", folder / "out", shard_size=9000)
    assert_whole(folder / "out", held)
    assert report.files == tuple(f"model-0000{n}-of-00003.safetensors" for n in (1, 2, 3))
    assert all((folder / "out" / name).stat().st_size < 9000 for name in report.files)
    assert sorted(item.name for item in folder.iterdir()) == ["in", "out"]
    assert "(3 files)" in report.summary()


def test_a_small_folder_has_one_file_and_no_index(folder: Path) -> None:
    write_shards(folder / "in")
    convert_plain(folder / "in", folder / "out", suffix=".ckpt")
    assert sorted(item.name for item in (folder / "out").iterdir()) == ["model.ckpt", MANIFEST_NAME]


def test_the_manifest_tells_what_was_done(folder: Path) -> None:
    held = write_shards(folder / "in")
    convert_plain(folder / "in", folder / "out.ckpt")
    manifest = json.loads((folder / f"out.ckpt.{MANIFEST_NAME}").read_text())
    (written,) = manifest["files"]
    assert written == {
        "file": "out.ckpt",
        "size": (folder / "out.ckpt").stat().st_size,
        "sha256": checksum(folder / "out.ckpt"),
        "verified": True,
    }
    assert [item["name"] for item in manifest["source"]["tensors"]] == list(held)
    assert len(manifest["source"]["files"]) == 4
    assert manifest["options"]["dtype"] is None
    assert manifest["versions"]["numpy"] == np.__version__
    assert {row["target"] for row in manifest["tensors"]} == {
        name.replace(".weight", ".gamma") for name in held
    }
    assert manifest["findings"][0]["code"] == "PRT511"


def test_without_verification_there_is_no_checksum(folder: Path) -> None:
    write_shards(folder / "in")
    convert_plain(folder / "in", folder / "out.ckpt", verify=False)
    manifest = json.loads((folder / f"out.ckpt.{MANIFEST_NAME}").read_text())
    assert [(item["sha256"], item["verified"]) for item in manifest["files"]] == [(None, False)]


def fail_at(number: int, monkeypatch: pytest.MonkeyPatch, error: OSError) -> list[str]:
    """Let the writing of one file fail; return the names of the files that were begun."""
    begun: list[str] = []

    def write(path: Path, *arguments: Any) -> Written:
        begun.append(path.name)
        if len(begun) == number:
            path.write_bytes(b"torn")
            raise error
        return write_shard(path, *arguments)

    monkeypatch.setattr(engine, "write_shard", write)
    return begun


def test_a_run_goes_on_where_another_stopped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = write_shards(folder / "in", 5)
    begun = fail_at(3, monkeypatch, OSError(28, "No space left on device"))
    with pytest.raises(PorterError, match="No space left") as caught:
        convert_plain(folder / "in", folder / "out", shard_size=9000, workers=1)
    assert (caught.value.code, "--resume goes on" in str(caught.value)) == ("PRT405", True)
    assert not (folder / "out").exists()
    convert_plain(folder / "in", folder / "out", shard_size=9000, workers=1, resume=True)
    assert begun == [f"model-0000{n}-of-00005.safetensors" for n in (1, 2, 3, 3, 4, 5)]
    assert_whole(folder / "out", held)
    assert sorted(item.name for item in folder.iterdir()) == ["in", "out"]


def test_files_that_changed_since_are_written_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = write_shards(folder / "in")
    begun = fail_at(3, monkeypatch, OSError(28, "No space left on device"))
    with pytest.raises(PorterError):
        convert_plain(folder / "in", folder / "out", shard_size=9000, workers=1)
    first = folder / ".out.porter" / begun[0]
    data = bytearray(first.read_bytes())
    data[-1] ^= 1
    first.write_bytes(data)
    convert_plain(folder / "in", folder / "out", shard_size=9000, workers=1, resume=True)
    assert begun.count(first.name) == 2
    assert_whole(folder / "out", held)


@pytest.mark.parametrize("verify", [True, False])
def test_a_file_that_is_cut_since_is_written_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, verify: bool
) -> None:
    write_shards(folder / "in")
    begun = fail_at(3, monkeypatch, OSError(28, "No space left on device"))
    options: dict[str, Any] = {"shard_size": 9000, "workers": 1, "verify": verify}
    with pytest.raises(PorterError):
        convert_plain(folder / "in", folder / "out", **options)
    first, second = (folder / ".out.porter" / name for name in begun[:2])
    first.write_bytes(first.read_bytes()[:-1])
    convert_plain(folder / "in", folder / "out", **options, resume=True)
    assert (begun.count(first.name), begun.count(second.name)) == (2, 1)


@pytest.mark.parametrize("change", ["source", "options"])
def test_another_run_is_not_gone_on_with(
    folder: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    write_shards(folder / "in")
    fail_at(3, monkeypatch, OSError(28, "No space left on device"))
    with pytest.raises(PorterError):
        convert_plain(folder / "in", folder / "out", shard_size=9000, workers=1)
    if change == "source":
        os.utime(folder / "in" / "model-00001-of-00003.safetensors", (1, 1))
    size = 9000 if change == "source" else 17000
    with pytest.raises(PorterError, match="from another checkpoint, or with other") as caught:
        convert_plain(folder / "in", folder / "out", shard_size=size, workers=1, resume=True)
    assert caught.value.code == "PRT703"
    convert_plain(folder / "in", folder / "out", shard_size=size, workers=1)
    assert sorted(item.name for item in folder.iterdir()) == ["in", "out"]


def test_a_folder_of_weights_is_replaced_and_no_other_one(folder: Path) -> None:
    held = write_shards(folder / "in")
    convert_plain(folder / "in", folder / "out", suffix=".ckpt")
    convert_plain(folder / "in", folder / "out", shard_size=9000)
    assert_whole(folder / "out", held)
    assert not (folder / "out" / "model.ckpt").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="folders change places on Linux alone")
def test_a_folder_is_there_while_it_is_replaced(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = write_shards(folder / "in")
    convert_plain(folder / "in", folder / "out", suffix=".ckpt")
    moved = []
    replace = Path.replace

    def note(path: Path, to: Path) -> Path:
        moved.append(path.name)
        return replace(path, to)

    monkeypatch.setattr(Path, "replace", note)
    convert_plain(folder / "in", folder / "out", shard_size=9000)
    assert not {"out", "fresh"} & set(moved)
    assert_whole(folder / "out", held)
    assert sorted(item.name for item in folder.iterdir()) == ["in", "out"]


def test_an_old_folder_comes_back_after_a_kill_between_two_renames(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = write_shards(folder / "in")
    convert_plain(folder / "in", folder / "out", shard_size=9000)
    monkeypatch.setattr(target, "_exchange", lambda _one, _two: False)
    replace = Path.replace

    def stop(path: Path, to: Path) -> Path:
        if path.name == "fresh":
            raise KeyboardInterrupt
        return replace(path, to)

    monkeypatch.setattr(Path, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        convert_plain(folder / "in", folder / "out", suffix=".ckpt")
    monkeypatch.setattr(Path, "replace", replace)
    assert not (folder / "out").exists()
    with locked_target(folder / "out"):
        assert_whole(folder / "out", held)
    convert_plain(folder / "in", folder / "out", suffix=".ckpt")
    assert (folder / "out" / "model.ckpt").is_file()
    assert sorted(item.name for item in folder.iterdir()) == ["in", "out"]


def test_two_runs_at_once_are_refused(folder: Path) -> None:
    held = write_shards(folder / "in")
    with (
        locked_target(folder / "out"),
        pytest.raises(PorterError, match="another run is writing it") as caught,
    ):
        convert_plain(folder / "in", folder / "out", shard_size=9000)
    assert caught.value.code == "PRT405"
    convert_plain(folder / "in", folder / "out", shard_size=9000)
    assert_whole(folder / "out", held)


def test_several_processes_at_once_give_one_whole_output(folder: Path) -> None:
    held = write_shards(folder / "in", 4, 100_000)
    options = ("in", "-o", "out", "--max-shard-size", "900KB")
    runs = [start(*options, cwd=folder) for _ in range(3)]
    codes = {}
    for run in runs:
        _, errors = run.communicate(timeout=120)
        codes[run.returncode] = errors
        assert run.returncode == 0 or "PRT40" in errors
        assert "Traceback" not in errors
    assert 0 in codes
    assert_whole(folder / "out", held)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_one_line(folder: Path) -> None:
    write_shards(folder / "in")
    (folder / "closed").mkdir(mode=0o500)
    with pytest.raises(PorterError, match="Permission denied") as caught:
        convert_plain(folder / "in", folder / "closed" / "out")
    assert caught.value.code == "PRT405"


def test_a_folder_that_refuses_files_is_one_line(folder: Path) -> None:
    write_shards(folder / "in")
    if not Path("/proc/self").is_dir():
        pytest.skip("needs a file system that takes no files")
    with pytest.raises(PorterError) as caught:
        convert_plain(folder / "in", Path("/proc/self/out"))
    assert caught.value.code == "PRT405"


def limit_files() -> None:
    """Let files of this process be 1 MB at most, as a full disk would."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))


@pytest.mark.parametrize("output", ["out", "out.ckpt", "out.safetensors"])
def test_a_full_disk_leaves_nothing(folder: Path, output: str) -> None:
    write_shards(folder / "in", 2, 400_000)
    run = start("in", "-o", output, cwd=folder, preexec_fn=limit_files)
    _, errors = run.communicate(timeout=120)
    assert run.returncode == 2
    assert errors.splitlines()[-1].startswith(f"{output}:1:1: PRT405 cannot write the output: File")
    assert [item.name for item in folder.iterdir()] == ["in"]


def kill_at(moment: float, folder: Path, *options: str) -> bool:
    """Kill a run that long after its beginning; tell whether it was still at work."""
    run = start("in", "-o", "out", "--max-shard-size", "8MB", *options, cwd=folder)
    try:
        run.communicate(timeout=moment)
    except subprocess.TimeoutExpired:
        run.kill()
        run.communicate()
        return True
    assert run.returncode == 0
    return False


def kill_and_go_on(folder: Path, times: int, seed: int) -> None:
    held = write_shards(folder / "in", 6, 1_000_000)
    began = time.monotonic()
    assert not kill_at(120, folder)
    duration = time.monotonic() - began
    assert_whole(folder / "out", held)
    moments = random.Random(seed)
    killed = 0
    for number in range(times):
        if (folder / "out").exists():
            (folder / "out").rename(folder / f"done{number}")
        killed += kill_at(moments.uniform(0.2, 1) * duration, folder, "--resume")
        if (folder / "out").exists():
            assert_whole(folder / "out", held)
    assert killed > times // 3
    if not (folder / "out").exists():
        assert not kill_at(120, folder, "--resume")
    assert_whole(folder / "out", held)
    assert not (folder / ".out.porter").exists()


def test_a_killed_run_leaves_no_output_or_a_whole_one(folder: Path) -> None:
    kill_and_go_on(folder, 4, 1)


@pytest.mark.skipif(sys.platform != "linux", reason="folders change places on Linux alone")
def test_an_old_folder_is_there_when_a_run_that_replaces_it_is_killed(folder: Path) -> None:
    held = write_shards(folder / "in", 6, 1_000_000)
    began = time.monotonic()
    assert not kill_at(120, folder)
    duration = time.monotonic() - began
    moments = random.Random(3)
    killed = 0
    for _ in range(5):
        killed += kill_at(moments.uniform(0.5, 1) * duration, folder, "--force")
        assert_whole(folder / "out", held)
    assert killed


@pytest.mark.slow
def test_a_run_may_be_killed_at_any_moment(folder: Path) -> None:
    kill_and_go_on(folder, 50, 2)


@pytest.mark.parametrize(
    ("text", "size"), [("5GB", 5 * 10**9), ("200mb", 2 * 10**8), ("1 KB", 1000), ("7", 7)]
)
def test_sizes_are_read(text: str, size: int) -> None:
    assert read_size(text) == size


@pytest.mark.parametrize("text", ["", "0", "GB", "-1", "5TB", "1.5GB"])
def test_other_sizes_are_refused(text: str) -> None:
    with pytest.raises(PorterError) as caught:
        read_size(text)
    assert caught.value.code == "PRT703"
