"""Check that a port is written whole or not at all."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from porter.emit.write import write_port, write_text
from porter.types import PortedFile, PorterError, PortResult, SiteCounts


def result(**files: str) -> PortResult:
    ported = [
        PortedFile(Path(name.replace("__slash__", "/") + ".py"), text)
        for name, text in files.items()
    ]
    return PortResult(tuple(ported), (), SiteCounts(applied=1), {"source": "médel", "files": []})


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def refusal(folder: Path, port: PortResult, *, force: bool = False) -> str:
    with pytest.raises(PorterError) as caught:
        write_port(port, folder, force)
    assert caught.value.exit_code == 2
    return caught.value.code


def test_files_and_manifest_are_written(tmp_path: Path) -> None:
    port = result(__init__="", model="x = 'é'\r\n", runtime__slash__outputs="y = 1\n")
    assert write_port(port, tmp_path / "deep" / "out") == tmp_path / "deep" / "out"
    written = tree(tmp_path / "deep")
    assert json.loads(written.pop("out/port.json")) == port.manifest
    assert written == {
        "out/__init__.py": b"",
        "out/model.py": "x = 'é'\r\n".encode(),
        "out/runtime/outputs.py": b"y = 1\n",
    }


def test_the_folder_has_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "usual").mkdir()
    write_port(result(model=""), tmp_path / "out")
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("usual", "out")]
    assert modes[0] == modes[1]


def test_a_declared_encoding_is_kept(tmp_path: Path) -> None:
    write_port(result(model="# coding: latin-1\nx = 'é'\n"), tmp_path / "out")
    assert (tmp_path / "out" / "model.py").read_bytes() == b"# coding: latin-1\nx = '\xe9'\n"


def test_an_existing_folder_is_refused(tmp_path: Path) -> None:
    write_port(result(model="old = 1\n"), tmp_path / "out")
    before = tree(tmp_path)
    assert refusal(tmp_path / "out", result(model="new = 1\n")) == "PRT401"
    assert tree(tmp_path) == before


def test_force_replaces_an_earlier_port_whole(tmp_path: Path) -> None:
    write_port(result(model="old = 1\n", gone="old = 1\n"), tmp_path / "out")
    write_port(result(model="new = 1\n"), tmp_path / "out", force=True)
    assert sorted(tree(tmp_path)) == ["out/model.py", "out/port.json"]
    assert (tmp_path / "out" / "model.py").read_text() == "new = 1\n"


def test_force_fills_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert refusal(tmp_path / "out", result(model="")) == "PRT401"
    write_port(result(model=""), tmp_path / "out", force=True)
    assert sorted(tree(tmp_path)) == ["out/model.py", "out/port.json"]


def test_force_spares_a_folder_that_is_no_port(tmp_path: Path) -> None:
    precious = tmp_path / "out" / "thesis.tex"
    precious.parent.mkdir()
    precious.write_text("years")
    assert refusal(tmp_path / "out", result(model=""), force=True) == "PRT401"
    assert tree(tmp_path) == {"out/thesis.tex": b"years"}


def test_force_spares_a_file(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("years")
    assert refusal(tmp_path / "out", result(model=""), force=True) == "PRT401"
    assert tree(tmp_path) == {"out": b"years"}


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    write_port(result(model="old = 1\n"), tmp_path / "real")
    (tmp_path / "link").symlink_to("real")
    write_port(result(model="new = 1\n"), tmp_path / "link", force=True)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "model.py").read_text() == "new = 1\n"


@pytest.mark.parametrize(
    "text", ["def (:\n", "return 1\n", "x = '\0'\n", "# coding: ascii\né = 1\n"]
)
def test_a_file_that_does_not_parse_leaves_nothing(tmp_path: Path, text: str) -> None:
    assert refusal(tmp_path / "out", result(model=text)) == "PRT402"
    assert tree(tmp_path) == {}


@pytest.mark.parametrize("name", ["..__slash__model", "__slash__model"])
def test_a_file_outside_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    assert refusal(tmp_path / "out", result(**{name: ""})) == "PRT904"
    assert tree(tmp_path) == {}


def test_a_failed_rename_restores_the_old_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_port(result(model="old = 1\n"), tmp_path / "out")
    before = tree(tmp_path)
    rename = Path.rename

    def failing(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise OSError(28, os.strerror(28))
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", failing)
    assert refusal(tmp_path / "out", result(model="new = 1\n"), force=True) == "PRT405"
    assert tree(tmp_path) == before


def test_a_parent_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert refusal(tmp_path / "file" / "out", result(model="")) == "PRT405"


def test_a_text_replaces_another_and_leaves_nothing_aside(tmp_path: Path) -> None:
    for text in ("old\n", "né\r\n"):
        write_text(tmp_path / "deep" / "report.json", text)
    assert tree(tmp_path) == {"deep/report.json": "né\r\n".encode()}


def test_a_text_that_cannot_be_placed_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "report.json").mkdir()
    with pytest.raises(PorterError) as caught:
        write_text(tmp_path / "report.json", "x")
    assert caught.value.code == "PRT405"
    assert tree(tmp_path) == {}
