"""Read every kind of source that a user may name, and refuse the rest in one clear line."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from porter.port import port_source
from porter.source.follow import with_class
from porter.source.read import read_source
from porter.types import PorterError
from tests.support_cases import body_of, main_file


def refusal(spelled: str) -> PorterError:
    with pytest.raises(PorterError) as caught:
        port_source(spelled)
    return caught.value


def test_a_missing_file_is_refused() -> None:
    error = refusal("nowhere/model.py")
    assert (error.code, error.exit_code) == ("PRT005", 2)
    assert "nowhere/model.py" in error.message


def test_a_module_that_is_not_installed_is_refused() -> None:
    error = refusal("no_such_package.models")
    assert (error.code, error.hint) == ("PRT005", "is 'no_such_package' installed?")


def test_a_module_that_its_package_lacks_is_refused() -> None:
    error = refusal("json.no_such_module")
    assert error.code == "PRT005"
    assert "'json'" in error.message


@pytest.mark.parametrize("spelled", ["", "a b", "1module", "not/a/module", ":Model"])
def test_text_that_names_no_source_is_refused(spelled: str, in_folder: Path) -> None:
    assert refusal(spelled).code == "PRT005"


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    assert refusal(str(tmp_path)).code == "PRT005"


def test_an_unknown_class_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text("class Model: ...\nclass Other: ...\n")
    with pytest.raises(PorterError) as caught:
        with_class(read_source(f"{path}:Missing"))
    assert (caught.value.code, caught.value.hint) == ("PRT006", "classes there: Model, Other")


def test_a_class_that_a_package_passes_on_is_found_where_it_is_defined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "passing_package"
    package.mkdir()
    (package / "__init__.py").write_text("from .layers import *\nfrom .nets import Net as Net\n")
    (package / "layers.py").write_text("from .deep import Layer\n")
    (package / "deep.py").write_text("class Layer: ...\n")
    (package / "nets.py").write_text("class Net: ...\nclass Other: ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    for name, place in (("Layer", "deep"), ("Net", "nets")):
        source = with_class(read_source(f"passing_package:{name}"))
        assert [module.name for module in source.modules] == [f"passing_package.{place}"]
    with pytest.raises(PorterError, match="no class 'Other'"):
        with_class(read_source("passing_package:Other"))


def test_a_syntax_error_is_reported_where_it_is(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text("x = 1\nif x\n    y = 2\n")
    error = refusal(str(path))
    assert (error.code, error.exit_code) == ("PRT001", 1)
    assert error.position is not None
    assert (error.position.line, error.position.column) == (2, 5)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"x = '\xff\xfe'\n", "PRT005"),
        (b"# -*- coding: no-such-encoding -*-\n", "PRT001"),
        (b"x = 1\x00\n", "PRT001"),
        (b"\xff\xfex\x00", "PRT005"),
    ],
    ids=["no-utf-8", "unknown-encoding", "null-byte", "utf-16"],
)
def test_bytes_that_are_no_source_text_are_refused(data: bytes, code: str, tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_bytes(data)
    assert refusal(str(path)).code in (code, "PRT001")


def test_deep_nesting_is_refused_and_not_a_crash(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text("x = " + "(" * 500 + "1" + ")" * 500 + "\n")
    assert refusal(str(path)).code == "PRT001"


def test_a_folder_is_read_whole_and_named_after_itself(tmp_path: Path) -> None:
    package = tmp_path / "package"
    (package / "inner").mkdir(parents=True)
    for name in ("__init__.py", "model.py", "inner/__init__.py", "inner/part.py"):
        (package / name).write_text("")
    names = {module.name for module in read_source(str(package)).modules}
    assert names == {"package", "package.model", "package.inner", "package.inner.part"}


def ported(data: bytes, folder: Path) -> str:
    path = folder / "model.py"
    path.write_bytes(data)
    return body_of(main_file(port_source(str(path))).text)


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    assert ported(b"\xef\xbb\xbfx = 1\n", tmp_path) == "x = 1\n"


def test_windows_line_ends_are_kept(tmp_path: Path) -> None:
    source = b"import torch\r\n\r\n\r\ndef f(x: torch.Tensor):\r\n    return torch.relu(x)\r\n"
    text = ported(source, tmp_path)
    assert "\r\n    return ops.relu(x)\r\n" in text
    assert text.count("\n") == text.count("\r\n")


def test_tabs_are_kept(tmp_path: Path) -> None:
    source = b"import torch\ndef f(x: torch.Tensor):\n\treturn torch.relu(x)\n"
    assert "\n\treturn ops.relu(x)\n" in ported(source, tmp_path)


def test_a_form_feed_does_not_shift_the_imports(tmp_path: Path) -> None:
    source = b"a = 1\x0c\nimport torch\nb = 2\x0c\ndef f(x: torch.Tensor):\n    return x\n"
    text = ported(source, tmp_path)
    assert text.splitlines(keepends=False)[0] == "a = 1"
    assert "import torch" not in text
    assert "b = 2\x0c\n" in text


def test_another_encoding_is_written_as_utf_8(tmp_path: Path) -> None:
    text = ported("# -*- coding: latin-1 -*-\nx = 'é'\n".encode("latin-1"), tmp_path)
    # Bytes, so that the declaration in the first line counts.
    assert ast.unparse(ast.parse(text.encode())) == "x = 'é'"


def test_text_without_a_last_line_end_is_kept(tmp_path: Path) -> None:
    assert ported(b"x = 1", tmp_path) == "x = 1"
