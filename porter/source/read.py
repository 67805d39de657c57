"""Find the source that a user names, and read it without running any of it."""

from __future__ import annotations

import ast
import importlib.machinery
import io
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path

from porter.source.unpacking import unpack_arguments
from porter.types import PorterError, Position

CODING = re.compile(r"^([ \t\f]*#.*?coding[:=][ \t]*)[-\w.]+")


@dataclass(frozen=True, slots=True)
class SourceModule:
    """One file of source: its dotted module name (the stem for a lone file), text and tree."""

    name: str
    path: Path
    text: str
    tree: ast.Module
    is_package: bool = False
    display: str = ""

    @property
    def package(self) -> str:
        """The package that relative imports start from; empty for a lone file."""
        return self.name if self.is_package else self.name.rpartition(".")[0]


def is_lone(module: SourceModule) -> bool:
    """Tell whether a module is a file that belongs to no package."""
    return "." not in module.name and not module.is_package


@dataclass(frozen=True, slots=True)
class Source:
    """What a user asked for: modules to port, and the class of the first that alone is wanted."""

    modules: tuple[SourceModule, ...]
    class_name: str | None
    spelled: str


def read_source(spelled: str) -> Source:
    """Read `SOURCE[:Class]`, where SOURCE is a file, a folder or a dotted module.

    Raises:
        PorterError: PRT005 nothing found or not readable, PRT001 not Python.
    """
    place, class_name = _split(spelled)
    path = Path(place)
    if path.is_file():
        modules: tuple[SourceModule, ...] = (read_module(path, path.stem),)
    elif path.is_dir():
        modules = _read_folder(path)
    elif place.endswith(".py") or "/" in place:
        raise PorterError(
            "PRT005", f"no such file: {place}", hint="give a file, a folder or a dotted module"
        )
    else:
        modules = (find_module(place),)
    return Source(modules, class_name, spelled)


def _split(spelled: str) -> tuple[str, str | None]:
    place, colon, name = spelled.rpartition(":")
    if colon and name.isidentifier():
        return place, name
    return spelled, None


def _read_folder(folder: Path) -> tuple[SourceModule, ...]:
    root = folder.resolve()
    modules = []
    for path in sorted(root.rglob("*.py")):
        parts = [root.name, *path.relative_to(root).with_suffix("").parts]
        if parts[-1] == "__init__":
            parts.pop()
        modules.append(read_module(path, ".".join(parts)))
    if not modules:
        raise PorterError("PRT005", f"no Python file in the folder {folder}")
    return tuple(modules)


def locate_module(name: str) -> Path | None:
    """Return the file of a dotted module without importing it or its packages."""
    parts = name.split(".")
    if not all(part.isidentifier() for part in parts):
        return None
    spec = importlib.machinery.PathFinder.find_spec(parts[0])
    if spec is None:
        return None
    if len(parts) == 1:
        return Path(spec.origin) if spec.origin and spec.origin.endswith(".py") else None
    for root in spec.submodule_search_locations or ():
        base = Path(root).joinpath(*parts[1:])
        for path in (base.with_suffix(".py"), base / "__init__.py"):
            if path.is_file():
                return path
    return None


def is_installed(package: str) -> bool:
    """Tell whether a package of that top-level name can be imported; it is not."""
    return package.isidentifier() and importlib.machinery.PathFinder.find_spec(package) is not None


def find_module(name: str) -> SourceModule:
    """Read an installed module by its dotted name."""
    path = locate_module(name)
    if path is None:
        top = name.partition(".")[0]
        if not is_installed(top):
            raise PorterError(
                "PRT005",
                f"no file, folder or installed module {name!r}",
                hint=f"is {top!r} installed?",
            )
        raise PorterError("PRT005", f"the package {top!r} has no module {name!r}")
    return read_module(path, name)


def read_module(path: Path, name: str) -> SourceModule:
    """Read and parse one file; PRT005 when it cannot be read, PRT001 when it is not Python."""
    display = _display(path)
    try:
        text = _decoded(path.read_bytes())
    except (OSError, UnicodeDecodeError) as error:
        raise PorterError("PRT005", f"cannot read {display}: {error}") from error
    except SyntaxError as error:
        raise PorterError("PRT001", str(error), position=Position(display), exit_code=1) from error
    try:
        tree = ast.parse(text)
        written = text if "." in name else unpack_arguments(text, tree)
        if written != text:
            text, tree = written, ast.parse(written)
    except (SyntaxError, ValueError) as error:
        position = Position(
            display, getattr(error, "lineno", None) or 1, getattr(error, "offset", None) or 1
        )
        message = getattr(error, "msg", None) or str(error)
        raise PorterError(
            "PRT001", f"not valid Python: {message}", position=position, exit_code=1
        ) from error
    return SourceModule(name, path, text, tree, path.name == "__init__.py", display)


def _decoded(data: bytes) -> str:
    """Return source text with its line ends as they are, and declared to be UTF-8 if anything.

    Raises:
        SyntaxError: when the declared encoding is unknown.
        UnicodeDecodeError: when the bytes are not in it.
    """
    encoding, first = tokenize.detect_encoding(io.BytesIO(data).readline)
    text = data.decode(encoding)
    if encoding not in ("utf-8", "utf-8-sig"):
        count = len(first)
        lines = text.split("\n", count)
        text = "\n".join([CODING.sub(r"\1utf-8", line) for line in lines[:count]] + lines[count:])
    return text


def _display(path: Path) -> str:
    """Spell a path as short as it is clear: below the current folder or an installed package."""
    resolved = path.resolve()
    try:
        return str(resolved.relative_to(Path.cwd()))
    except ValueError:
        match = re.search(r"/(?:site|dist)-packages/(.+)$", resolved.as_posix())
        return match.group(1) if match else str(path)
