"""Plan names and attributes that are not called: dtypes, classes, tensor attributes, weights."""

from __future__ import annotations

import ast
import re

from porter.mapping.schema import Entry, Overload
from porter.plan.calls import foreign, refuse_unmapped
from porter.plan.context import PlanContext
from porter.plan.edits import Rename, Replace
from porter.plan.entries import raise_finding, refuse
from porter.plan.outputs import plan_output_attribute, result_elsewhere
from porter.plan.recording import plan_recording
from porter.plan.values import takes_all_arguments
from porter.source.kinds import Kind
from porter.source.program import MODULE_ROOTS
from porter.types import Applicability, Severity

DEVICE = {
    "type": '{self}.partition(":")[0]',
    "index": "runtime.creation.device_index({self})",
}
"""Attributes of a device: one that is kept is its name."""
MAKING = re.compile(r"(?P<cls>(?:nn|mint\.nn|runtime\.\w+)\.[A-Z]\w*)\(")
ANY_WEIGHT = ("weight", "bias", "running_mean", "running_var")
"""Parameters and buffers that the Cells of some layers call otherwise."""
AXIS_MORE = re.compile(r"insert_axis:(\d+)")
OF_DTYPE = {
    "is_floating_point": "runtime.creation.is_floating({dtype})",
    "is_complex": "runtime.creation.is_complex({dtype})",
    "itemsize": "runtime.creation.itemsize({dtype})",
}


def plan_reference(context: PlanContext, node: ast.Name | ast.Attribute) -> bool:
    """Plan a dotted name that was imported; returns whether it was one."""
    qualified = context.names.qualified(node, context.here)
    if qualified is None:
        return False
    entry = context.program.mapping.find(qualified)
    if entry is None:
        if isinstance(node, ast.Attribute) and _plan_dtype(context, node):
            return False
        whole = isinstance(node, ast.Attribute) or context.program.mapping.is_external(qualified)
        if whole and foreign(context, qualified) and node not in context.tested:
            refuse_unmapped(context, node, qualified)
            return True
        if isinstance(node, ast.Attribute):
            return _plan_own(context, node, qualified)
        return True
    if entry.graph_only and not context.in_graph:
        return True
    if entry.manual is not None:
        refuse(
            context, node, "PRT102", f"{qualified} cannot be carried over: {entry.manual}", entry
        )
        return True
    _write_reference(context, node, entry, qualified)
    return True


def _plan_dtype(context: PlanContext, node: ast.Attribute) -> bool:
    """Plan what is asked of a dtype: `x.dtype.is_floating_point`, `torch.int8.itemsize`."""
    if node.attr not in OF_DTYPE or context.inference.kind(node.value).name != "dtype":
        return False
    context.edit(node, Replace(context.written(OF_DTYPE[node.attr]), {"dtype": node.value}))
    context.site(node)
    return True


def _plan_own(context: PlanContext, node: ast.Attribute, name: str) -> bool:
    """Write `package.NAME` as a name of the module of the port that defines it."""
    program = context.program
    module, _, last = program.aliases.get(name, name).rpartition(".")
    if not program.defined(f"{module}.{last}") or context.names.module.name == module:
        return False
    if isinstance(node.value, ast.Name) and context.here.lookup(node.value.id) == module:
        return False  # the module itself is imported
    context.edit(node, Replace(context.own_name(module, last)))
    return True


def _write_reference(
    context: PlanContext, node: ast.Name | ast.Attribute, entry: Entry, name: str
) -> None:
    overload = entry.general or entry.overloads[0]
    if overload.drop or entry.kind == "annotation":
        return
    if entry.kind in ("class", "constant"):
        if overload.emit is not None:
            context.edit(node, Replace(context.written(overload.emit)))
        elif overload.target is not None:
            target = overload.target
            if entry.graph_target is not None and context.in_graph:
                target = entry.graph_target
            if target.endswith(".*"):
                target = f"{target[:-1]}{name.rpartition('.')[2]}"
            written = context.spelled(target)
            if not (isinstance(node, ast.Name) and node.id == written):
                context.edit(node, Replace(written))
        context.site(node)
        raise_finding(context, entry, node, name)
        return
    if entry.passed_on is not None and not context.only_tested(node) and _is_called(context, node):
        # Who calls it gives torch's arguments.
        context.edit(node, Replace(context.spelled(entry.passed_on)))
        context.site(node)
        return
    made = _class_made(overload) or (entry.base if overload.result == "none" else None)
    if context.only_tested(node) and made is not None:
        context.edit(node, Replace(context.written(made)))
        context.site(node)
        return
    if entry.kind in ("function", "module") and overload.target is not None:
        written = context.spelled(overload.target)
        context.edit(node, Replace(written))
        alike = _takes_one_tensor(entry) or takes_all_arguments(entry) is not None
        if context.only_tested(node) or alike:
            context.site(node)
            return
        context.find(
            node,
            "PRT201",
            f"{name} is passed on as {overload.target}; its defaults and argument names may"
            " differ at the call",
            applicability=Applicability.REVIEW,
            severity=Severity.WARNING,
            torch_name=name,
            target=overload.target,
        )
        return
    refuse(context, node, "PRT105", f"{name} is used as a value, which is not carried over", entry)


def _class_made(overload: Overload) -> str | None:
    """Return the class whose objects a template makes: `nn.Identity` of `nn.Identity()`."""
    found = MAKING.match(overload.emit or "")
    return found["cls"] if found is not None else None


def _takes_one_tensor(entry: Entry) -> bool:
    """Tell whether a function has one argument: who calls it can give it nothing else."""
    if entry.kind != "function" or len(entry.overloads) != 1 or entry.finding is not None:
        return False
    overload = entry.overloads[0]
    if overload.defaults or overload.coerce or overload.emit is not None:
        return False
    signature = overload.signature
    names = [item.name for item in signature.parameters] if signature is not None else []
    return names in (["input"], ["input", "out"])


def _is_called(context: PlanContext, node: ast.expr) -> bool:
    """Tell whether a class is there to be called; tuples and keys may be of classes asked for."""
    match context.program.parents(context.names.module.tree)[node]:
        case ast.Tuple() | ast.List() | ast.Set():
            return False
        case ast.Dict(keys=keys):
            return node not in keys
        case ast.Compare(left=left, comparators=others):
            # What an object is made of was not passed on: it is of MindSpore's own class.
            return not any(map(_is_class_of_object, (left, *others)))
    return True


def _is_class_of_object(node: ast.expr) -> bool:
    match node:
        case ast.Attribute(attr="__class__") | ast.Call(func=ast.Name("type")):
            return True
    return False


def _plan_contents(context: PlanContext, node: ast.Attribute) -> None:
    """Plan a module that is read in a graph for the parameters that it holds."""
    kind = context.inference.kind(node)
    if not context.in_graph or kind.name != "module" or kind.cls is None:
        return
    entry = context.program.mapping.find(kind.cls)
    if entry is not None and entry.contents is not None and isinstance(node.ctx, ast.Load):
        context.edit(
            node, Replace(f"{{owner}}.{node.attr}.{entry.contents}", {"owner": node.value})
        )
        context.site(node)


def _plan_weight(context: PlanContext, node: ast.Attribute, entry: Entry) -> None:
    """Plan a weight that the Cell keeps in another form: a graph takes an axis more out of it.

    Outside of a graph it may be read to be changed, which what is made of it is not.
    """
    name = entry.weights.get(node.attr, node.attr)
    axis = AXIS_MORE.fullmatch(entry.transforms.get(node.attr, ""))
    if axis is not None and context.in_graph:
        written = context.written(f"ops.squeeze({{cell}}.{name}, {axis[1]})")
        context.edit(node, Replace(written, {"cell": node.value}))
        context.site(node)
        return
    if node.attr in entry.transforms or entry.weights.get(node.attr) == "":
        form = "in another shape" if node.attr in entry.transforms else "under no name"
        refuse(context, node, "PRT102", f"the Cell of {entry.name} has {node.attr!r} {form}", entry)


def _plan_one_of(context: PlanContext, node: ast.Attribute, modules: tuple[Kind, ...]) -> bool:
    """Plan a parameter of a module of one of several classes, whose Cells name it differently."""
    classes = context.program.classes
    mapped = [kind.cls or "" for kind in modules if kind.cls not in classes]
    entries = [context.program.mapping.find(name) for name in mapped]
    found = [entry.weights.get(node.attr, node.attr) for entry in entries if entry is not None]
    names = set(found)
    if len(mapped) < len(modules):
        names.add(node.attr)  # what the source's own class calls it
    if len(found) < len(mapped) or not isinstance(node.ctx, ast.Load):
        return False
    if names == {node.attr}:
        made = len(mapped) == len(modules) and all(
            entry is not None and node.attr not in entry.weights for entry in entries
        )
        return made and _plan_setting_of_one(context, node, [item for item in entries if item])
    if context.in_graph or not all(name.isidentifier() for name in names):
        refuse(context, node, "PRT102", f"the Cells of one of these have no {node.attr!r}", None)
    elif len(names) == 1:
        context.edit(node, Rename(found[0]))
        context.site(node)
    else:
        written = context.written(f'runtime.parameters.named_in_torch({{cell}}, "{node.attr}")')
        context.edit(node, Replace(written, {"cell": node.value}))
        context.site(node)
    return True


def _plan_weight_of_any(context: PlanContext, node: ast.Attribute) -> bool:
    """Plan a parameter of a module of which only running code knows the class."""
    if context.in_graph or node.attr not in ANY_WEIGHT or not isinstance(node.ctx, ast.Load):
        return False
    written = context.written(f'runtime.parameters.named_in_torch({{cell}}, "{node.attr}")')
    context.edit(node, Replace(written, {"cell": node.value}))
    context.site(node)
    return True


def _plan_setting(context: PlanContext, node: ast.Attribute, entry: Entry) -> None:
    """Plan what a module was made with, where its Cell keeps it otherwise, or not at all."""
    template = _setting(entry, node.attr)
    if template == "":
        message = f"the Cell of {entry.name} does not say what its {node.attr!r} is"
        refuse(context, node, "PRT102", message, entry)
    elif template != f"{{cell}}.{node.attr}":
        context.edit(node, Replace(context.written(template), {"cell": node.value}))
        context.site(node)


def _setting(entry: Entry, name: str) -> str:
    """Return how what a module was made with is read off its Cell; empty where it is not kept."""
    template = entry.attributes.get(name)
    if template is not None:
        return template
    targets = {overload.rename.get(name) for overload in entry.overloads} - {None}
    return f"{{cell}}.{targets.pop() if len(targets) == 1 else name}"


def _plan_setting_of_one(context: PlanContext, node: ast.Attribute, entries: list[Entry]) -> bool:
    """Plan what a module of one of several classes was made with; returns whether that is done."""
    if len({_setting(entry, node.attr) for entry in entries}) == 1:
        _plan_setting(context, node, entries[0])
        return True
    names = " or ".join(entry.name for entry in entries)
    message = f"the Cells of {names} keep {node.attr!r} in different forms"
    refuse(context, node, "PRT102", message, entries[0])
    return True


def _plan_part_of_device(context: PlanContext, node: ast.Attribute) -> None:
    """Write the type or the index of a device that is kept: it is its name."""
    if node in context.vanished:
        return
    # A graph knows no method of a string, and has no second device.
    type_in_graph = context.in_graph and node.attr == "type"
    template = "{self}" if type_in_graph else DEVICE[node.attr]
    context.edit(node, Replace(context.written(template), {"self": node.value}))
    context.site(node)


def _plan_field_of_dict(context: PlanContext, node: ast.Attribute) -> bool:
    """Plan `result.field` of what was found to be a dict: it is a structured result, too."""
    if hasattr(dict, node.attr) or not isinstance(node.ctx, ast.Load):
        return False
    context.edit(node, Replace(f'{{self}}.get("{node.attr}")', {"self": node.value}))
    context.site(node)
    return True


def plan_attribute(context: PlanContext, node: ast.Attribute) -> None:
    """Plan an attribute of a value: of a tensor, a mapped module, or a structured result."""
    kind = result_elsewhere(context, node.value) or context.inference.kind(node.value)
    _plan_contents(context, node)
    if kind.name == "output" and context.in_graph:
        plan_output_attribute(context, node, kind)
        return
    names = [name for name, _ in kind.fields]
    if kind.name == "tuple" and node.attr in names:
        context.edit(node, Replace(f"{{self}}[{names.index(node.attr)}]", {"self": node.value}))
        context.site(node)
        return
    torch = any(origin.startswith("torch") for origin in context.names.top.imports.values())
    if kind.name == "device" and node.attr in DEVICE and torch:
        _plan_part_of_device(context, node)
        return
    if not context.in_graph and _plan_dtype(context, node):
        return
    if kind.name == "dict" and context.in_graph and _plan_field_of_dict(context, node):
        return
    if kind.name == "module" and kind.items and _plan_one_of(context, node, kind.items):
        return
    if torch and kind.cls in MODULE_ROOTS and _plan_weight_of_any(context, node):
        return
    if kind.name == "module" and kind.cls is not None:
        entry = context.program.mapping.find(kind.cls)
        if entry is not None and kind.cls not in context.program.classes:
            renamed = entry.weights.get(node.attr)
            if renamed and renamed != node.attr:
                path = Replace(f"{{cell}}.{renamed}", {"cell": node.value})
                context.edit(node, path if "." in renamed else Rename(renamed))
                context.site(node)
            elif renamed is None and isinstance(node.ctx, ast.Load):
                _plan_setting(context, node, entry)
            if node in context.settled:
                return
            if isinstance(node.ctx, ast.Load):
                _plan_weight(context, node, entry)
            if isinstance(node.ctx, ast.Store) and node.attr in entry.weights:
                refuse(
                    context,
                    node,
                    "PRT306",
                    f"a parameter of {kind.cls} is set from outside, which its Cell may not use",
                    entry,
                )
        return
    if kind.name != "tensor" and not (
        kind.name == "unknown" and node.attr in ("device", "is_cuda")
    ):
        return
    entry = context.program.mapping.method(node.attr)
    if isinstance(node.ctx, ast.Store):
        return
    if entry is None and not context.in_graph and kind.name == "tensor" and kind.sure:
        refuse(context, node, "PRT101", f"no mapping for torch.Tensor.{node.attr}", None)
    if entry is None or entry.kind != "attribute":
        return
    if node.attr == "device" and (node in context.vanished or kind.name != "tensor"):
        return
    if entry.manual is not None:
        if kind.name == "tensor" and plan_recording(context, node):
            return
        if not context.in_graph and kind.name != "tensor":
            return
        message = f"torch.Tensor.{node.attr} cannot be carried over: {entry.manual}"
        refuse(context, node, "PRT102", message, entry)
        return
    overload = entry.overloads[0]
    if overload.emit is not None and overload.emit != f"{{self}}.{node.attr}":
        context.edit(node, Replace(context.written(overload.emit), {"self": node.value}))
        context.site(node)
        raise_finding(context, entry, node, f"torch.Tensor.{node.attr}")
