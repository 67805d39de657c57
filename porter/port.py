"""Port source to MindSpore: read, resolve, plan, rewrite, and hand back the files to write."""

from __future__ import annotations

import ast
import contextlib
import gc
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import libcst as cst

from porter import __version__
from porter.check.emitted import emitted_findings
from porter.emit.comments import dropped_comments, indented_comments
from porter.mapping.load import Mapping as Tables
from porter.mapping.load import load_mappings
from porter.plan.context import PlanContext
from porter.plan.edits import Drop
from porter.plan.left_out import methods_to_leave_out
from porter.plan.module import ModulePlanner
from porter.plan.reach import graph_functions, reached_from, unreached_statements
from porter.rewrite.expressions import PairingError
from porter.rewrite.imports import Layout, rewrite_imports
from porter.rewrite.statements import StatementRewriter
from porter.runtime_files import runtime_closure
from porter.source.follow import follow_reexports, follow_siblings, with_class
from porter.source.infer import Inference
from porter.source.names import Names
from porter.source.program import Program
from porter.source.read import Source, is_lone, read_source
from porter.source.recorders import find_recordings
from porter.source.top_level import top_level
from porter.types import (
    Applicability,
    Finding,
    PortedFile,
    PorterError,
    PortResult,
    Position,
    Severity,
    SiteCounts,
)


def port_source(
    spelled: str,
    *,
    configuration: Mapping[str, Any] | None = None,
    mappings_directory: Path | None = None,
    also: Iterable[str] = (),
) -> PortResult:
    """Port `SOURCE[:Class]`; nothing is written and nothing of the source is run.

    Args:
        spelled: a file, a folder or a dotted module, optionally `:Class`.
        configuration: what the model is built from, as plain data: where the source chooses a class
            by its `model_type`, the port names the class.
        mappings_directory: a folder of TOML tables laid over porter's own.
        also: names as "package.module:Class" that come along with the class, such as classes that
            its constructor is given; those of other packages are left out.

    Raises:
        PorterError: PRT001, PRT005, PRT006 for the source, PRT901 for the tables.
    """
    with collection_paused():
        tables = load_mappings(mappings_directory)
        return port_program(with_class(read_source(spelled)), tables, configuration, also)


@contextlib.contextmanager
def collection_paused() -> Iterator[None]:
    """Keep the garbage collector from walking the trees while they grow: a third of the time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def port_program(
    source: Source,
    mapping: Tables,
    configuration: Mapping[str, Any] | None = None,
    also: Iterable[str] = (),
) -> PortResult:
    """Port what was read.

    Where a class is wanted, methods that calling it does not need are left out if they cannot be
    carried over (PRT216), and the rest is ported again without them.
    """
    left_out: dict[str, str] = {}
    start = f"{source.modules[0].name}.{source.class_name}"
    wanted = (start, *(name.replace(":", ".") for name in also))
    while True:
        program = Program(source.modules, mapping, configuration, left_out)
        result, reached = _ported(source, program, wanted)
        if reached is None:
            return result
        more = methods_to_leave_out(program, wanted, reached, result.findings)
        if not more:
            return result
        left_out |= more


def _ported(
    source: Source, program: Program, wanted: Iterable[str]
) -> tuple[PortResult, frozenset[str] | None]:
    """Return the port, and the definitions that the wanted class reaches; None without a class."""
    reached = None
    main = source.modules[0]
    if source.class_name is not None:
        reached = reached_from(program, wanted, main)
    else:
        follow_reexports(program)
        if is_lone(main):
            follow_siblings(program, main)
    inference = Inference(program)
    inference.run_all()
    graph = graph_functions(program)
    recordings = find_recordings(program, inference, reached)
    siblings = _emitted_names(program)
    files: list[PortedFile] = []
    whole: list[PortedFile] = []
    findings: list[Finding] = []
    counts = SiteCounts()
    runtime: set[str] = set()
    script = reached is None and is_lone(main) and runs_torch(program.names[main.name])
    layout = Layout(siblings, prune=source.class_name is not None, script=script)
    for names in program.names.values():
        context = PlanContext(program, inference, names, reached, graph, recordings)
        context.source_uses = frozenset(_names_in(program.below(names.module.tree)))
        _drop_unreached(context)
        ModulePlanner(context).run()
        text = _rewrite(context, layout)
        relative = Path(*siblings[names.module.name].split(".")).with_suffix(".py")
        files.append(PortedFile(relative, text, names.module.text))
        if not any(finding.severity is Severity.ERROR for finding in context.findings):
            whole.append(files[-1])  # what was left as it was is reported already
        findings += context.findings
        counts += context.counts()
        runtime |= {module for module, _ in context.runtime}
    findings += emitted_findings(whole)
    files += runtime_closure(runtime)
    files = _with_packages(files)
    findings.sort(key=lambda finding: (finding.position, finding.code))
    manifest: dict[str, Any] = {
        "porter": __version__,
        "source": main.name if "." in main.name else main.display,
        "class": source.class_name,
        "module": siblings[main.name],
        "files": [item.path.as_posix() for item in files],
        "counts": {"applied": counts.applied, "review": counts.review, "manual": counts.manual},
        "findings": [finding.to_json() for finding in findings],
    }
    return PortResult(tuple(files), tuple(findings), counts, manifest), reached


def runs_torch(names: Names) -> bool:
    """Tell whether a module is a script.

    Its top level calls torch, or what the module defines, or it has a main guard.
    """
    tree = names.module.tree
    own = {
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    }
    for statement in top_level(names.module.tree):
        if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in ast.walk(statement):
            if not isinstance(node, ast.Call):
                continue
            qualified = names.qualified(node.func, names.top)
            if isinstance(node.func, ast.Name) and node.func.id in own:
                return True
            if qualified and qualified.partition(".")[0] == "torch":
                return True
    return any(
        isinstance(node, ast.If) and "__name__" in _names_in(ast.walk(node.test))
        for node in names.module.tree.body
    )


def _names_in(nodes: Iterable[ast.AST]) -> set[str]:
    """Return every plain name among nodes."""
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def _emitted_names(program: Program) -> dict[str, str]:
    """Give each source module a name in the port: its last part, with its package if need be."""
    result: dict[str, str] = {}
    for name, names in program.names.items():
        stem = name.rpartition(".")[2]
        if names.module.is_package:
            stem = f"{stem}_package"
        if stem in result.values() or stem == "runtime":
            stem = "_".join(name.split(".")[-2:])
        result[name] = stem
    return result


def _drop_unreached(context: PlanContext) -> None:
    """Remove the top-level statements that the wanted class does not reach."""
    if context.reached is None:
        return
    for statement in unreached_statements(context.names, context.reached):
        context.edit(statement, Drop())
        context.vanished.update(ast.walk(statement))


def _rewrite(context: PlanContext, layout: Layout) -> str:
    module = context.names.module
    tree = cst.parse_module(module.text)
    try:
        rewriter = StatementRewriter(context.edits, module.tree, module.text)
        tree = rewriter.module(module.tree, tree)
    except PairingError as error:
        raise PorterError(
            "PRT904",
            f"the plan cannot be carried out: {error}",
            position=Position(module.display),
            hint="this is an error of porter; nothing was written",
        ) from error
    header = cst.EmptyLine(
        comment=cst.Comment(
            f"# Ported to MindSpore by porter {__version__} from {_origin(context.names)}."
        )
    )
    first = [line for line in tree.header[:1] if _is_shebang(line)]
    tree = tree.with_changes(header=[*first, header, *tree.header[len(first) :]])
    try:
        code = tree.code
        parsed = ast.parse(code)
        text = rewrite_imports(context, layout, indented_comments(code, parsed), parsed)
    except SyntaxError as error:
        raise PorterError(
            "PRT402",
            f"the port does not parse: {error.msg} (line {error.lineno} of the output)",
            position=Position(module.display),
            hint="this is an error of porter; nothing was written",
        ) from error
    removed = {node for node in context.vanished if isinstance(node, ast.stmt | ast.expr)}
    for line, column, comment in dropped_comments(module.text, text, removed):
        context.findings.append(
            Finding(
                "PRT404",
                Position(module.display, line, column),
                f"comment dropped: {comment}",
                Applicability.REVIEW,
                Severity.NOTE,
            )
        )
    return text


def _is_shebang(line: cst.EmptyLine) -> bool:
    return line.comment is not None and line.comment.value.startswith("#!")


def _origin(names: Names) -> str:
    return names.module.name if "." in names.module.name else names.module.path.name


def _with_packages(files: list[PortedFile]) -> list[PortedFile]:
    """Add the `__init__.py` that makes each folder of the port a package."""
    have = {item.path for item in files}
    folders = {parent for item in files for parent in item.path.parents}
    extra = [
        folder / "__init__.py" for folder in sorted(folders) if folder / "__init__.py" not in have
    ]
    return [*files, *(PortedFile(path, "") for path in extra)]
