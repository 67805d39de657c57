"""Test that hf:// URLs are read through the file system that huggingface_hub brings.

A server of the test's own speaks as much of the Hub as that file system asks for.
"""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from tests.weights.plain import read_folder, start, write_shards

pytest.importorskip("huggingface_hub", reason="it reads hf://")
REPOSITORY = "some/model"
COMMIT = "a" * 40


class Hub(http.server.BaseHTTPRequestHandler):
    """Serve the files of a folder as one repository of models."""

    ranges: ClassVar[list[str]] = []
    """What was asked for, of all files."""

    def __init__(self, folder: Path, *arguments: Any) -> None:
        self.folder = folder
        super().__init__(*arguments)

    def log_message(self, *_arguments: Any) -> None:
        pass

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path.startswith(f"/{REPOSITORY}/resolve/"):
            self._send_file(path.rpartition("/")[2])
        elif path.startswith(f"/api/models/{REPOSITORY}/tree/"):
            self._send_json([self._entry(file.name) for file in sorted(self.folder.iterdir())])
        elif path.startswith(f"/api/models/{REPOSITORY}"):
            self._send_json({"id": REPOSITORY, "sha": COMMIT, "siblings": [], "tags": []})
        else:
            self._send(HTTPStatus.NOT_FOUND, b"{}", {"X-Error-Code": "RepoNotFound"})

    def _entry(self, name: str) -> dict[str, Any]:
        size = (self.folder / name).stat().st_size
        return {"type": "file", "path": name, "size": size, "oid": name}

    def _send_json(self, data: Any) -> None:
        self._send(HTTPStatus.OK, json.dumps(data).encode(), {"Content-Type": "application/json"})

    def _send_file(self, name: str) -> None:
        data = (self.folder / name).read_bytes()
        wanted = self.headers["Range"]
        self.ranges.append(wanted)
        begin, _, last = wanted.removeprefix("bytes=").partition("-")
        part = data[int(begin) : int(last) + 1]
        headers = {"Content-Range": f"bytes {begin}-{last}/{len(data)}"}
        self._send(HTTPStatus.PARTIAL_CONTENT, part, headers)

    def _send(self, status: HTTPStatus, data: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in (headers | {"Content-Length": str(len(data))}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def hub(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder whose files the processes of the test find on the Hub."""
    (folder / "hub").mkdir()
    served = folder / "hub" / "files"
    handler = functools.partial(Hub, served)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("HF_HOME", str(folder / "hub" / "home"))
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    yield served
    server.shutdown()
    server.server_close()


def test_a_repository_of_the_hub_is_converted(folder: Path, hub: Path) -> None:
    held = write_shards(hub)
    run = start(f"hf://{REPOSITORY}", "-o", "out", "--max-shard-size", "9KB", cwd=folder)
    _, errors = run.communicate(timeout=120)
    assert run.returncode == 0, errors
    found = read_folder(folder / "out")
    for name, value in held.items():
        assert np.array_equal(found[name.replace(".weight", ".gamma")], value), name
    # Nothing beyond: the file system would read 5 MB ahead each time.
    assert "bytes=0-7" in Hub.ranges


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        (f"hf://{REPOSITORY}/none.safetensors", "there is no such file or folder"),
        ("hf://no/repository/m.safetensors", "there is no such file or folder"),
        ("hf://", "unreadable checkpoint"),
    ],
)
def test_what_the_hub_lacks_is_one_line(folder: Path, hub: Path, url: str, reason: str) -> None:
    write_shards(hub)
    run = start(url, "-o", "out", cwd=folder)
    _, errors = run.communicate(timeout=120)
    assert run.returncode == 2
    assert errors.count("\n") == 1
    assert "PRT507" in errors
    assert reason in errors
