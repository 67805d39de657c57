"""Collect what a module asks of gradients: backward, steps, resets, clipping, reads of `grad`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from porter.plan.context import PlanContext
from porter.source.flows import LEAF, root_name
from porter.source.recorded import Recorded

DERIVATIVE = "torch.autograd.grad"
SCALERS = ("torch.amp.GradScaler", "torch.cuda.amp.GradScaler", "torch.GradScaler")
CLIPPING = (
    "torch.nn.utils.clip_grad_norm_",
    "torch.nn.utils.clip_grad_value_",
    "torch.nn.utils.clip_grad.clip_grad_norm_",
    "torch.nn.utils.clip_grad.clip_grad_value_",
)


@dataclass(slots=True)
class Uses:
    """What was found; calls by their statement, optimizers and modules by their text.

    `kept` says whether anything reads or sets a gradient.
    """

    losses: dict[ast.stmt, tuple[ast.expr, ast.Call]] = field(default_factory=dict)
    derivatives: dict[ast.stmt, ast.Call] = field(default_factory=dict)
    steps: dict[ast.stmt, ast.expr] = field(default_factory=dict)
    resets: dict[ast.stmt, ast.Call] = field(default_factory=dict)
    clips: dict[ast.stmt, ast.Call] = field(default_factory=dict)
    reads: list[ast.Attribute] = field(default_factory=list)
    scalers: dict[ast.stmt, ast.Call] = field(default_factory=dict)
    creations: dict[str, list[ast.Call]] = field(default_factory=dict)
    switched: list[ast.stmt] = field(default_factory=list)
    unplanned: list[tuple[ast.AST, str]] = field(default_factory=list)
    kept: bool = False
    modes: list[ast.stmt] = field(default_factory=list)

    @property
    def stopping(self) -> set[ast.AST]:
        """Return the calls that no differentiated function may hold."""
        found: set[ast.AST] = {call for _, call in self.losses.values()}
        return found | set(self.steps)

    @property
    def optimizers(self) -> set[str]:
        """Return the text of every optimizer."""
        return {*self.creations, *(ast.unparse(item) for item in self.steps.values())}


def collect_uses(context: PlanContext, recorded: Recorded) -> Uses:
    """Return what the code of a module outside of graphs asks of gradients."""
    return _Collector(context, recorded).run()


class _Collector:
    def __init__(self, context: PlanContext, recorded: Recorded) -> None:
        self.context = context
        self.recorded = recorded
        self.uses = Uses()
        self.parents = context.program.parents(context.names.module.tree)
        self.kinds = context.inference.kind
        program = context.program
        self.own = {
            name
            for info in program.classes.values()
            if not program.is_autograd(info.qualified)
            for name in info.methods
        }
        self.scalers: set[str] = set()
        self.optimizers: set[str] = set()

    def run(self) -> Uses:
        nodes = [
            (statement, node)
            for statement in self.recorded.unit_of
            for node in _own_expressions(statement)
        ]
        for statement, node in nodes:
            if isinstance(node, ast.Call):
                self.note_names(statement, node)
        for statement, node in nodes:
            if isinstance(node, ast.Call):
                self.call(statement, node)
            elif isinstance(node, ast.Attribute) and node.attr == "grad":
                if self.qualified(node, statement) is None:
                    self.uses.kept = True
                    self.uses.reads += [node] if isinstance(node.ctx, ast.Load) else []
            elif isinstance(node, ast.Attribute) and node.attr == "requires_grad":
                self.uses.switched += [statement] if isinstance(node.ctx, ast.Store) else []
        return self.uses

    def qualified(self, node: ast.expr, statement: ast.stmt) -> str | None:
        scope = self.context.names.scopes[self.recorded.unit_of[statement]]
        return self.context.names.qualified(node, scope)

    def note_names(self, statement: ast.stmt, call: ast.Call) -> None:
        """Learn which names are optimizers, and which are scalers of losses."""
        qualified = self.qualified(call.func, statement) or ""
        text = ""
        match statement:
            case ast.Assign(targets=[target], value=value) if value is call:
                text = ast.unparse(target)
        entry = self.context.program.mapping.find(qualified)
        if entry is not None and entry.overloads and entry.overloads[0].result == "optimizer":
            self.uses.creations.setdefault(text, []).append(call)
        if qualified in SCALERS:
            self.uses.scalers[statement] = call
            self.scalers.add(text)
        match call.func:
            case ast.Attribute(value=owner, attr="zero_grad"):
                owner_text = ast.unparse(owner)
                if self.is_own(call.func):
                    return
                if self.kinds(owner).name != "module" and owner_text not in self.recorded.modules:
                    self.optimizers.add(owner_text)
            case ast.Attribute(value=ast.Call(func=ast.Attribute(value=owner, attr="scale"))):
                if call.func.attr == "backward":
                    self.scalers.add(ast.unparse(owner))

    def call(self, statement: ast.stmt, call: ast.Call) -> None:
        qualified = self.qualified(call.func, statement)
        if qualified == DERIVATIVE:
            self.uses.derivatives[statement] = call
        elif qualified == "torch.set_grad_enabled" and isinstance(statement, ast.Expr):
            self.uses.modes.append(statement)
        elif qualified == "torch.autograd.backward":
            self.uses.unplanned.append((call, f"{qualified} is not carried over: call .backward()"))
        elif qualified in CLIPPING:
            self.uses.clips[statement] = call
        elif isinstance(call.func, ast.Attribute) and qualified is None:
            self.method(statement, call, call.func)

    def is_own(self, func: ast.Attribute) -> bool:
        """Tell whether a method is, or may be, that of a class of the source, as `sgd.step()`."""
        kind = self.kinds(func.value)
        if kind.name in ("optimizer", "module", "modules", "tensor"):
            return False
        return func.attr in self.own and ast.unparse(func.value) not in self.uses.creations

    def method(self, statement: ast.stmt, call: ast.Call, func: ast.Attribute) -> None:
        if self.is_own(func):
            return
        text = ast.unparse(func.value)
        alone = isinstance(statement, ast.Expr) and statement.value is call
        if func.attr == "backward":
            self.backward(statement, call, func, alone)
        elif func.attr == "zero_grad":
            if alone:
                self.uses.resets[statement] = call
            else:
                self.uses.unplanned.append((call, "zero_grad() is no statement of its own"))
        elif func.attr == "step" and text in self.scalers:
            self.step(statement, call, call.args[0] if call.args else call, alone, call.args[1:])
        elif func.attr == "step" and self.is_optimizer(func.value, text):
            self.step(statement, call, func.value, alone, call.args)
        elif func.attr in ("update", "unscale_") and text in self.scalers and alone:
            self.uses.scalers[statement] = call
        elif func.attr == "requires_grad_":
            self.uses.switched.append(statement)
        elif func.attr in ("register_hook", "retain_grad"):
            self.uses.unplanned.append((call, f"{func.attr} is not carried over"))

    def is_optimizer(self, node: ast.expr, text: str) -> bool:
        kind = self.kinds(node).name
        if kind == "scheduler":
            return False
        return kind == "optimizer" or text in self.optimizers or text in self.uses.creations

    def step(
        self,
        statement: ast.stmt,
        call: ast.Call,
        optimizer: ast.expr,
        alone: bool,
        given: list[ast.expr],
    ) -> None:
        if alone and not given and not call.keywords:
            self.uses.steps[statement] = optimizer
        else:
            reason = "a step of an optimizer that is given a closure, or that gives a value"
            self.uses.unplanned.append((call, f"{reason}, is not carried over"))

    def backward(
        self, statement: ast.stmt, call: ast.Call, func: ast.Attribute, alone: bool
    ) -> None:
        loss = func.value
        kind = self.kinds(loss)
        if kind.name in ("context", "class", "object") or ast.unparse(loss) in ("self", "super()"):
            return
        match loss:
            case ast.Call(func=ast.Attribute(value=owner, attr="scale"), args=[scaled]):
                if ast.unparse(owner) in self.scalers:
                    loss = scaled
        if not alone or statement in self.uses.losses:
            self.uses.unplanned.append((call, "backward() is no statement of its own"))
            return
        known = ("gradient", "retain_graph")
        if any(keyword.arg not in known for keyword in call.keywords) or len(call.args) > 2:
            reason = "backward() with create_graph or inputs is not carried over"
            self.uses.unplanned.append((call, reason))
            return
        self.uses.losses[statement] = loss, call


def _own_expressions(statement: ast.stmt) -> list[ast.AST]:
    """Return what a statement evaluates itself, the statements in its blocks apart."""
    found: list[ast.AST] = []
    queue: list[ast.AST] = [statement]
    while queue:
        for child in ast.iter_child_nodes(queue.pop(0)):
            if isinstance(child, ast.stmt | ast.ExceptHandler):
                continue
            found.append(child)
            queue.append(child)
    return found


def switches_parameters(recorded: Recorded, uses: Uses) -> bool:
    """Tell whether parameters are frozen, or made trainable again."""
    return any(True for _ in _switches(recorded, uses))


def thaws_parameters(recorded: Recorded, uses: Uses, optimizer: ast.Call) -> bool:
    """Tell whether parameters may be made trainable after an optimizer was made."""
    home = [unit for item, unit in recorded.unit_of.items() if optimizer in ast.walk(item)]
    return any(
        not off and (statement.lineno > optimizer.lineno or recorded.unit_of[statement] not in home)
        for statement, off in _switches(recorded, uses)
    )


def _switches(recorded: Recorded, uses: Uses) -> Iterator[tuple[ast.stmt, bool]]:
    """Yield each switch of a parameter, and whether it is surely to freeze it."""
    for statement in uses.switched:
        for node in ast.walk(statement):
            match node:
                case ast.Call(func=ast.Attribute(value=owner, attr="requires_grad_")):
                    pass
                case ast.Attribute(value=owner, attr="requires_grad", ctx=ast.Store()):
                    pass
                case _:
                    continue
            off = any(isinstance(c, ast.Constant) and c.value is False for c in ast.walk(statement))
            if off or not makes_leaf(recorded, statement, owner):
                yield statement, off


def makes_leaf(recorded: Recorded, statement: ast.stmt, owner: ast.expr) -> bool:
    """Tell whether a tensor that is no parameter yet is made a leaf."""
    root = root_name(owner)
    if root is None:
        return True
    if recorded.inference.kind(owner).name == "module" or ast.unparse(owner) in recorded.modules:
        return False
    return isinstance(owner, ast.Name) and not recorded.at(statement, root) >= LEAF


def gradient_of(call: ast.Call) -> ast.expr | None:
    """Return the gradient that a backward starts with, None for that of a scalar."""
    given = call.args[0] if call.args else None
    for keyword in call.keywords:
        if keyword.arg == "gradient":
            given = keyword.value
    return None if isinstance(given, ast.Constant) and given.value is None else given
