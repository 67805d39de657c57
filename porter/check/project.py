"""Find the Python files of a project and read those that graph code may lie in, each once."""

from __future__ import annotations

import ast
import fnmatch
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import MappingProxyType

from porter.mapping.load import Mapping
from porter.source.names import Names
from porter.source.program import FunctionInfo, Program
from porter.source.read import SourceModule, read_module
from porter.types import PorterError, Position

HINT = re.compile(rb"def construct\b|\bjit\b|\bms_function\b|\.set_train\(")
NO_MAPPING = Mapping(MappingProxyType({}), frozenset(), frozenset())
SKIPPED_FOLDERS = frozenset({"__pycache__", "node_modules", "build", "dist"})


def find_files(paths: Sequence[Path], exclude: Sequence[str] = ()) -> list[Path]:
    """Return the Python files that the paths name or hold, in order, without duplicates.

    Folders whose names begin with a dot, and what `exclude` matches by name or path, are left out;
    a file that is named itself is kept.

    Raises:
        PorterError: PRT801 where a path does not exist.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_file():
            found[path] = None
        elif path.is_dir():
            found.update(dict.fromkeys(_walk(path, exclude)))
        else:
            raise PorterError("PRT801", f"no such file or folder: {path}")
    return list(found)


def _walk(folder: Path, exclude: Sequence[str]) -> Iterable[Path]:
    for path in sorted(folder.iterdir()):
        if any(fnmatch.fnmatch(name, item) for item in exclude for name in (path.name, str(path))):
            continue
        if path.is_dir():
            if not path.name.startswith(".") and path.name not in SKIPPED_FOLDERS:
                yield from _walk(path, exclude)
        elif path.suffix == ".py":
            yield path


def module_name(path: Path) -> tuple[str, Path]:
    """Return the dotted name of a file's module, and the folder that imports start from."""
    folder = path.resolve().parent
    parts = [] if path.name == "__init__.py" else [path.stem]
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts) or path.stem, folder


class Project:
    """The modules that checks look at: files that were asked for, and what these import."""

    def __init__(self) -> None:
        self.program = Program((), NO_MAPPING)
        self.roots: dict[Path, None] = {}
        self.missing: set[str] = set()
        self._ancestry: dict[str, list[str]] = {}

    def add_text(self, text: str, path: Path) -> Names:
        """Add a module whose text is at hand.

        Raises:
            PorterError: PRT001 where the text is not Python.
        """
        name = self._name(path)
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError) as error:
            position = Position(str(path), getattr(error, "lineno", None) or 1)
            raise PorterError(
                "PRT001", f"not valid Python: {error}", position=position, exit_code=1
            ) from error
        package = path.name == "__init__.py"
        return self._added(SourceModule(name, path, text, tree, package, str(path)))

    def add_file(self, path: Path) -> Names | None:
        """Add a file; None where nothing in it can be graph code.

        Raises:
            PorterError: PRT005 or PRT001 where it cannot be read.
        """
        try:
            if HINT.search(path.read_bytes()) is None:
                return None
        except OSError as error:
            raise PorterError("PRT005", f"cannot read {path}: {error}") from error
        return self._added(read_module(path, self._name(path)))

    def _name(self, path: Path) -> str:
        """Return the module name of a file; only the first of several namesakes has it plain."""
        name, root = module_name(path)
        self.roots.setdefault(root)
        unique, number = name, 1
        while unique in self.program.names:
            if self.program.names[unique].module.path.resolve() == path.resolve():
                return unique
            number += 1
            unique = f"{name}@{number}"
        return unique

    def _added(self, module: SourceModule) -> Names:
        self.program.add(module)
        return self.program.names[module.name]

    def define(self, qualified: str) -> str | None:
        """Return the name under which a project defines what is imported, reading its module."""
        program = self.program
        for _ in range(8):  # re-exports that lead in a circle define nothing
            qualified = program.aliases.get(qualified, qualified)
            if program.defined(qualified):
                return qualified
            place, _, name = qualified.rpartition(".")
            if not place or not self.load(place):
                return None
            if program.defined(qualified):
                return qualified
            forward = program.names[place].top.imports.get(name)
            if forward is None:
                forward = self._starred(place, name)
            if forward is None or forward == qualified:
                return None
            qualified = forward
        return None

    def _starred(self, place: str, name: str) -> str | None:
        """Return the full name of what `from module import *` brings into a module."""
        names = self.program.names[place]
        for node in names.star_imports:
            base = node.module or ""
            if node.level:
                package = names.module.package.split(".")
                base = ".".join([*package[: len(package) - node.level + 1], *filter(None, [base])])
            if self.load(base) and self.program.defined(f"{base}.{name}"):
                return f"{base}.{name}"
        return None

    def load(self, name: str) -> bool:
        """Read a module of the project by its dotted name; False where the project has none."""
        if name in self.program.names:
            return True
        if name in self.missing:
            return False
        for root in self.roots:
            base = root.joinpath(*name.split("."))
            for path in (base.with_suffix(".py"), base / "__init__.py"):
                if path.is_file():
                    try:
                        self._added(read_module(path, name))
                    except PorterError:
                        break  # it is reported where the file itself is checked
                    return True
        self.missing.add(name)
        return False

    def method(self, cls: str, name: str) -> FunctionInfo | None:
        """Return a method of a class or of its nearest base in the project."""
        for ancestor in self.ancestry(cls):
            info = self.program.classes.get(ancestor)
            if info is not None and name in info.methods:
                return FunctionInfo(f"{ancestor}.{name}", info.methods[name], info.names, info)
        return None

    def ancestry(self, cls: str) -> list[str]:
        """Return a class and all its bases, nearest first; modules of bases are read."""
        if cls in self._ancestry:
            return self._ancestry[cls]
        found: list[str] = []
        queue = [cls]
        while queue:
            name = queue.pop(0)
            name = self.define(name) or name
            if name and name not in found:
                found.append(name)
                info = self.program.classes.get(name)
                if info is not None:
                    queue.extend(info.bases)
        self._ancestry[cls] = found
        return found
