"""Plan class and function definitions: bases, forward to construct, decorators, annotations."""

from __future__ import annotations

import ast
import re

from porter.mapping.schema import Entry, Overload
from porter.plan.context import PlanContext
from porter.plan.decorators import gives_back
from porter.plan.edits import Before, ClassBody, Drop, Rename, Replace
from porter.plan.entries import raise_finding, refuse
from porter.plan.outputs import always_present, may_be_tuple
from porter.plan.recorded import plan_recording_decorator
from porter.source.kinds import Kind
from porter.source.program import FunctionInfo, without_docstring
from porter.source.top_level import assigned_names
from porter.types import Applicability, Severity

KEPT_DECORATORS = (
    "staticmethod",
    "property",
    "classmethod",
    "dataclasses.dataclass",
    "abc.abstractmethod",
)
NAMED_BASE = "runtime.outputs.NamedOutputCell"
RENAMING = ("transformers.utils.deprecation.deprecate_kwarg", "transformers.utils.deprecate_kwarg")
"""Decorators that take a keyword under its old name."""
CACHES = ("past_key_values", "cache_params")
"""Old names of a cache, which the runtime's model takes when it is called."""


def plan_class(context: PlanContext, node: ast.ClassDef) -> None:
    """Plan the head of a class and its body statements that do not carry over."""
    qualified = f"{context.names.module.name}.{node.name}"
    plan_decorators(context, node)
    if not context.program.is_module(qualified):
        return
    _drop_members(context, node, qualified)
    result = _forward_result(context, qualified)
    if result is None or result.cls is None:
        return
    cell = [base for base in node.bases if _target(context, base) == "mindspore.nn.Cell"]
    for base in cell:
        context.edits.pop(base, None)
        context.edit(base, Replace(context.written(NAMED_BASE)))
    lines = [f"output_class = {_class_name(context, result.cls)}"]
    forward = context.program.classes[qualified].methods["forward"]
    if always_present(result) and not may_be_tuple(forward):
        fields = ", ".join(f'"{name}"' for name, _ in result.fields)
        lines.append(f"output_fields = ({fields}{',' if len(result.fields) == 1 else ''})")
    context.edit(node, ClassBody(tuple(lines)))


def plan_base(context: PlanContext, base: ast.expr) -> bool:
    """Plan a base class that vanishes, or is a mapped module; returns whether it was one.

    The constructor of the derived class passes torch's arguments on, and its methods read torch's
    attributes: a base of MindSpore with others would fail, or be wrong, only when it runs.
    """
    qualified = context.names.qualified(base, context.here)
    entry = context.program.mapping.find(qualified) if qualified else None
    if entry is not None and entry.drop:
        context.edit(base, Drop())
        context.site(base)
        return True
    if entry is None or entry.kind != "module" or entry.manual is not None:
        return False
    if entry.base is not None:
        context.edit(base, Replace(context.spelled(entry.base)))
        context.site(base)
        return True
    if all(_is_torchs(overload) for overload in entry.overloads) and not _renamed(entry):
        return False
    refuse(
        context,
        base,
        "PRT109",
        f"a class derives from {qualified}, whose Cell takes other arguments or has other names",
        entry,
    )
    return True


def _is_torchs(overload: Overload) -> bool:
    """Tell whether a target takes torch's arguments by torch's names."""
    differs = overload.rename or overload.coerce or overload.defaults or overload.emit
    return overload.target is not None and not differs


def _renamed(entry: Entry) -> bool:
    return any(name != target for name, target in entry.weights.items())


def _class_name(context: PlanContext, qualified: str) -> str:
    """Return how the port writes the class of a structured result."""
    if qualified in context.program.classes:
        return qualified.rpartition(".")[2]
    entry = context.program.mapping.find(qualified)
    target = entry.target if entry is not None and entry.target else qualified
    if target.endswith(".*"):
        target = f"{target[:-1]}{qualified.rpartition('.')[2]}"
    return context.spelled(target)


def _target(context: PlanContext, base: ast.expr) -> str | None:
    qualified = context.names.qualified(base, context.names.top)
    entry = context.program.mapping.find(qualified) if qualified else None
    return entry.target if entry is not None else None


def _forward_result(context: PlanContext, qualified: str) -> Kind | None:
    info = context.program.classes[qualified]
    if "forward" not in info.methods:
        return None
    function = FunctionInfo(f"{qualified}.forward", info.methods["forward"], info.names, info)
    kind = context.inference.returns(function)
    return kind if kind.name == "output" else None


def _class_entries(context: PlanContext, qualified: str) -> list[Entry]:
    entries = (context.program.mapping.find(name) for name in context.program.ancestry(qualified))
    return [entry for entry in entries if entry is not None]


def _drop_members(context: PlanContext, node: ast.ClassDef, qualified: str) -> None:
    """Remove class attributes and methods that only the torch base class reads."""
    entries = _class_entries(context, qualified)
    patterns = [re.compile(p) for entry in entries for p in entry.drop_attributes]
    methods = {name for entry in entries for name in entry.drop_methods}
    for statement in node.body:
        names = assigned_names(statement)
        unread = bool(names) and any(pattern.fullmatch(names[0]) for pattern in patterns)
        if unread or (isinstance(statement, ast.FunctionDef) and statement.name in methods):
            context.edit(statement, Drop())
            context.vanished.update(ast.walk(statement))


def plan_function(
    context: PlanContext, node: ast.FunctionDef | ast.AsyncFunctionDef, owner: str | None
) -> None:
    """Plan the head of a function: its name, decorators and signature."""
    plan_decorators(context, node)
    in_module = owner is not None and context.program.is_module(owner)
    if in_module and node.name == "forward":
        context.edit(node, Rename("construct"))
        context.site(node)
    if in_module and node.name == "__call__":
        refuse(
            context, node, "PRT307", "a Cell's own __call__ is not compiled; write construct", None
        )
    if in_module and node.name in ("__getitem__", "__iter__") and context.in_graph:
        refuse(
            context, node, "PRT307", f"no gradient passes through the {node.name} of a Cell", None
        )
    if in_module and context.in_graph:
        arguments = [*node.args.posonlyargs, *node.args.args]
        static = any(
            isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list
        )
        if not static and arguments and arguments[0].arg != "self":
            refuse(
                context,
                node,
                "PRT307",
                "the graph compiler needs the first parameter to be called self",
                None,
            )
        if node.args.posonlyargs:
            refuse(
                context,
                node,
                "PRT307",
                "positional-only parameters are not accepted by construct",
                None,
            )


def _plan_defaults(context: PlanContext, node: ast.AST, entry: Entry) -> None:
    """Read the parameters that a decorator fills from the configuration, where they are None."""
    if not isinstance(node, ast.FunctionDef) or not context.in_graph:
        return
    body = without_docstring(node)
    names = {argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)}
    wanted = [name for name in entry.config_defaults if name in names]
    if wanted and body:
        lines = [f"if {name} is None:\n    {name} = self.config.{name}" for name in wanted]
        context.edit(body[0], Before(tuple(lines)))


def _plan_old_name(context: PlanContext, node: ast.AST, decorator: ast.expr, name: str) -> None:
    """Read a parameter under its old name, too, where a caller gives it so."""
    if name not in RENAMING or not isinstance(node, ast.FunctionDef) or not context.in_graph:
        return
    match decorator:
        case ast.Call(args=[ast.Constant(value=str(old)), *_], keywords=keywords):
            pass
        case _:
            return
    renamed = [item.value for item in keywords if item.arg == "new_name"]
    new = renamed[0].value if renamed and isinstance(renamed[0], ast.Constant) else None
    names = {argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)}
    body = without_docstring(node)
    if new not in names or not body or old in CACHES:
        return
    given = old if old in names else ""
    if not given and node.args.kwarg is not None:
        given = f'{node.args.kwarg.arg}.get("{old}")'
    if given:
        context.edit(body[0], Before((f"if {new} is None:\n    {new} = {given}",)))


def plan_decorators(
    context: PlanContext, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
) -> None:
    """Drop the decorators that the table drops; report those whose effect a graph would lose."""
    for decorator in node.decorator_list:
        callee = decorator.func if isinstance(decorator, ast.Call) else decorator
        qualified = context.names.qualified(callee, context.here)
        name = qualified or ast.unparse(callee)
        entry = context.program.mapping.find(qualified) if qualified else None
        if entry is not None and entry.drop:
            context.edit(decorator, Drop())
            context.vanished.update(ast.walk(decorator))
            context.site(decorator)
            _plan_defaults(context, node, entry)
            _plan_old_name(context, node, decorator, name)
            if not plan_recording_decorator(context, node, decorator):
                raise_finding(context, entry, decorator, name)
        elif (
            name in KEPT_DECORATORS
            or name.endswith((".setter", ".getter"))
            or gives_back(context, callee, decorator)
        ):
            continue
        elif context.in_graph or (qualified or "").startswith("torch."):
            context.find(
                decorator,
                "PRT207",
                f"GRAPH_MODE compiles the function without its decorator {name}",
                applicability=Applicability.MANUAL,
                severity=Severity.ERROR,
                torch_name=qualified,
            )
