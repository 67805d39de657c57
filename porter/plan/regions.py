"""Find the statements that compute what is differentiated, to make a function of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from porter.source.flow_walk import Walk
from porter.source.flows import GRAPH, LEAF, Unit, root_name, stored_names
from porter.source.recorded import Recorded

LEAVING = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Delete, ast.Global, ast.Nonlocal)


@dataclass(slots=True)
class Region:
    """The statements from the first that depends on a leaf to the last that the loss needs.

    `anchor` is the statement that asks for gradients, `place` the statement of `block` that it is,
    or lies in. `arguments` are names that the statements read before they bind them, `outputs`
    those that they bind and that are read elsewhere. `copies` are statements before another
    backward that must be computed once more. `problem` says why there is no such function.
    """

    anchor: ast.stmt
    place: ast.stmt
    block: list[ast.stmt]
    unit: Unit
    loss: ast.expr
    statements: list[ast.stmt] = field(default_factory=list)
    copies: list[ast.stmt] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    problem: str = ""

    @property
    def body(self) -> list[ast.stmt]:
        """Return the statements of the function, those that it computes once more first."""
        return [*self.copies, *self.statements]

    @property
    def start(self) -> ast.stmt:
        """Return the first statement that the function computes, or where it stands."""
        return self.body[0] if self.body else self.place

    @property
    def parts(self) -> set[ast.AST]:
        """Return every node of the function's body."""
        found = {node for statement in self.body for node in ast.walk(statement)}
        return found | set(ast.walk(self.loss))

    @property
    def reads(self) -> set[str]:
        """Return the names that the function's body reads."""
        return {name for node in self.parts if (name := name_of(node))}


class Blocks:
    """Where each statement of a module stands."""

    def __init__(self, tree: ast.Module) -> None:
        self.block_of: dict[ast.stmt, list[ast.stmt]] = {}
        self.parent_of: dict[ast.stmt, ast.AST] = {}
        for node in ast.walk(tree):
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list):
                    for statement in block:
                        if isinstance(statement, ast.stmt):
                            self.block_of[statement] = block
                            self.parent_of[statement] = node

    def around(self, statement: ast.stmt) -> ast.stmt | None:
        """Return the `if` or `with` that a statement stands in, None where there is another."""
        parent = self.parent_of[statement]
        return parent if isinstance(parent, ast.If | ast.With) else None


def find_region(
    recorded: Recorded,
    blocks: Blocks,
    anchor: ast.stmt,
    loss: ast.expr,
    stopping: set[ast.AST],
    gradient: ast.expr | None = None,
) -> Region:
    """Return the statements that compute `loss`, which `anchor` differentiates.

    Args:
        stopping: calls that no function may hold: other differentiation, and steps of optimizers.
    """
    unit = recorded.unit_of[anchor]
    bound = recorded.names.scopes[unit].bound
    own = {name for name in _reads(loss) if name in bound or name.startswith("self.")} - {"self"}
    place = anchor
    alone = not isinstance(loss, ast.Name | ast.Attribute | ast.Subscript)
    if not (alone and Walk(recorded, unit, {}).flow(loss)):
        # What is differentiated under `if training:` may be computed in front of it.
        while not own & {n for item in _before(blocks, place) for n in changed_names(item)}:
            outer = blocks.around(place)
            if outer is None:
                place = anchor
                break
            place = outer
    block = blocks.block_of[place]
    region = Region(anchor, place, block, unit, loss)
    _choose(recorded, blocks, region, stopping, gradient)
    if region.problem:
        return region
    _interface(recorded, region)
    return region


def _before(blocks: Blocks, statement: ast.stmt) -> list[ast.stmt]:
    block = blocks.block_of[statement]
    return block[: block.index(statement)]


def _choose(
    recorded: Recorded,
    blocks: Blocks,
    region: Region,
    stopping: set[ast.AST],
    gradient: ast.expr | None,
) -> None:
    """Find the first and the last statement of a region."""
    block = region.block
    place = block.index(region.place)
    needed = _reads(region.loss)
    direct = needed | (set() if gradient is None else _reads(gradient))
    first, last = place, -1
    for position in reversed(range(place)):
        statement = block[position]
        if not stopping.isdisjoint(ast.walk(statement)):
            region.copies = _earlier(recorded, block[: position + 1], needed)
            break
        bound = changed_names(statement)
        if last < 0 and bound & direct:
            last = position
        if not bound & needed:
            continue
        after = block[position + 1]
        if any(recorded.at(after, name) >= GRAPH for name in bound & needed):
            first = position
            needed |= _reads(statement)
    while 0 < first < place and _is_start(block[first - 1], needed):
        first -= 1
    if last >= 0 and first <= last:
        region.statements = block[first : last + 1]
    walk = Walk(recorded, region.unit, dict(recorded.before.get(region.start, {})))
    walk.block(region.body)
    if not walk.flow(region.loss):
        region.problem = "what it depends on is computed where this function does not see it"
        return
    if _computed_before(recorded, region):
        region.copies = [*_around(recorded, blocks, region), *region.copies]
    name = _computed_before(recorded, region)
    if name:
        region.problem = f"{name!r}, which it depends on, is computed before, or elsewhere"
        return
    region.problem = _unfit(region)


def _computed_before(recorded: Recorded, region: Region) -> str:
    """Return a name through which what was computed before reaches the loss, if there is one."""
    for name in sorted(region.reads):
        if recorded.at(region.start, name) >= GRAPH and _carries(recorded, region, name):
            return name
    return ""


def _around(recorded: Recorded, blocks: Blocks, region: Region) -> list[ast.stmt]:
    """Return the statements in front of the loop or branch around a region that it depends on."""
    needed = {name for statement in region.body for name in _reads(statement)}
    needed |= _reads(region.loss)
    found: list[ast.stmt] = []
    outer = blocks.parent_of[region.place]
    while isinstance(outer, ast.For | ast.While | ast.If | ast.With | ast.Try):
        block = blocks.block_of[outer]
        earlier = _earlier(recorded, block[: block.index(outer) + 1], needed)
        found = [*earlier, *found]
        needed |= {name for statement in earlier for name in _reads(statement)}
        outer = blocks.parent_of[outer]
    return found


def _earlier(recorded: Recorded, block: list[ast.stmt], needed: set[str]) -> list[ast.stmt]:
    """Return the statements before the last of a block that what is needed depends on."""
    needed = set(needed)
    found: list[ast.stmt] = []
    for position in reversed(range(len(block) - 1)):
        statement = block[position]
        bound = changed_names(statement) & needed
        after = block[position + 1]
        if any(recorded.at(after, name) >= GRAPH for name in bound):
            found.insert(0, statement)
            needed |= _reads(statement)
    return found


def _is_start(statement: ast.stmt, needed: set[str]) -> bool:
    """Tell whether a statement gives what is summed up its start: `total = 0`."""
    match statement:
        case ast.Assign(targets=[ast.Name(name)], value=ast.Constant() | ast.List(elts=[])):
            return name in needed
    return False


def _carries(recorded: Recorded, region: Region, name: str) -> bool:
    """Tell whether a graph that a name has before the region reaches the loss."""
    walk = Walk(recorded, region.unit, {name: GRAPH}, silent=True)
    walk.block(region.body)
    return bool(walk.flow(region.loss))


def _unfit(region: Region) -> str:
    """Say why statements cannot be those of a function; empty where they can."""
    for statement in region.body:
        for node, loops in _with_loops(statement, 0):
            if isinstance(node, LEAVING) or (
                isinstance(node, ast.Break | ast.Continue) and not loops
            ):
                return f"line {node.lineno} leaves the statements that compute it"
    declared = {
        name
        for node in ast.walk(region.unit)
        if isinstance(node, ast.Global | ast.Nonlocal)
        for name in node.names
    }
    bound = declared & set(stored_names(region.statements))
    if bound and not isinstance(region.unit, ast.Module):
        return f"the statements that compute it bind {min(bound)!r}, which is not their function's"
    return ""


def _with_loops(node: ast.AST, loops: int) -> Iterator[tuple[ast.AST, int]]:
    """Yield what a statement holds, with the number of loops around it, functions left out."""
    yield node, loops
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
        return
    inside = loops + isinstance(node, ast.For | ast.While | ast.AsyncFor)
    for child in ast.iter_child_nodes(node):
        yield from _with_loops(child, inside)


def _interface(recorded: Recorded, region: Region) -> None:
    """Find what goes into the function, and what comes out of it."""
    updated = _updated(region.statements)
    bound = list(dict.fromkeys([*stored_names(region.statements), *updated]))
    inside = region.parts
    module = isinstance(region.unit, ast.Module)
    outside = {
        node.id
        for node in ast.walk(recorded.names.module.tree if module else region.unit)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node not in inside
    }
    definite = _definite(region.statements)
    early = _read_early(region.statements) | set(updated)
    elsewhere = {
        node.id
        for node in ast.walk(region.unit)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in inside
    }
    if not isinstance(region.unit, ast.Module):
        arguments = region.unit.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        elsewhere |= {item.arg for item in every}
    for name in bound:
        given = module and not name.startswith("_")
        wanted = (given or name in outside) and not (
            isinstance(region.loss, ast.Name) and region.loss.id == name
        )
        if wanted:
            region.outputs.append(name)
        partly = name not in definite and (wanted or name in _reads(region.loss))
        if name in early or (partly and name in elsewhere):
            region.arguments.append(name)


def _definite(statements: Sequence[ast.stmt]) -> set[str]:
    """Return the names that statements bind in any case; a loop is taken to run once."""
    found: set[str] = set()
    for statement in statements:
        if isinstance(statement, ast.If):
            found |= _definite(statement.body) & _definite(statement.orelse)
        elif isinstance(statement, ast.For | ast.AsyncFor):
            found |= set(stored_names([ast.Expr(statement.target)])) | _definite(statement.body)
        elif isinstance(statement, ast.With | ast.AsyncWith | ast.While | ast.Try):
            found |= _definite(statement.body)
        else:
            found |= set(stored_names([statement]))
    return found


def _read_early(statements: Sequence[ast.stmt]) -> set[str]:
    """Return names that may be read before the statements bind them."""
    bound: set[str] = set()
    early: set[str] = set()
    stored = set(stored_names(statements))

    def visit(items: Sequence[ast.stmt]) -> None:
        for item in items:
            if isinstance(item, ast.If | ast.For | ast.While | ast.With | ast.Try):
                heads = [
                    child for child in ast.iter_child_nodes(item) if isinstance(child, ast.expr)
                ]
                heads += [part.context_expr for part in getattr(item, "items", [])]
                for head in heads:
                    early.update(_reads(head) - bound)
                if isinstance(item, ast.For):
                    bound.update(stored_names([ast.Expr(item.target)]))
                visit(item.body)
                visit(getattr(item, "orelse", []))
                visit(getattr(item, "finalbody", []))
                continue
            early.update(_reads(item) - bound)
            if isinstance(item, ast.AugAssign) and isinstance(item.target, ast.Name):
                early.update({item.target.id} - bound)
            bound.update(stored_names([item]))

    visit(statements)
    return early & stored


def _updated(statements: Sequence[ast.stmt]) -> list[str]:
    """Return the names whose tensors statements update: a port may bind the name again for that."""
    return [
        node.value.func.value.id
        for statement in statements
        for node in ast.walk(statement)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
        and node.value.func.attr.endswith("_")
        and isinstance(node.value.func.value, ast.Name)
    ]


def name_of(node: ast.AST) -> str:
    """Return a name, or an attribute of `self` as `self.name`; empty for what is neither."""
    match node:
        case ast.Name(name):
            return name
        case ast.Attribute(value=ast.Name("self"), attr=name):
            return f"self.{name}"
    return ""


def _reads(node: ast.AST) -> set[str]:
    return {
        name
        for part in ast.walk(node)
        if isinstance(getattr(part, "ctx", None), ast.Load) and (name := name_of(part))
    }


def changed_names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds, or whose objects it changes."""
    found = set(stored_names([statement]))
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            found.add(name_of(node))
            if not (isinstance(node, ast.Attribute) and node.attr == "grad"):
                found.add(root_name(node) or "")
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            function = node.value.func
            if isinstance(function, ast.Attribute) and ".grad" not in ast.unparse(function):
                found.add(root_name(function.value) or "")
    return found - {""}


def leaf_names(recorded: Recorded, region: Region) -> list[str]:
    """Return the leaves that a region reads, itself or in functions that it calls."""
    bound = set(stored_names(region.body))
    names = [name for name in _ordered(region) if recorded.at(region.start, name) >= LEAF]
    seen: set[str] = set()
    queue = sorted(region.reads)
    while queue:
        name = queue.pop()
        for function in recorded.functions.get(name, ()):
            if name in seen:
                continue
            reads = _reads(function)
            queue += sorted(reads - seen)
            local = recorded.names.scopes[function].bound
            names += [
                item
                for item in sorted(reads - local)
                if recorded.globals.get(item, frozenset()) >= LEAF
            ]
        seen.add(name)
    return [name for name in dict.fromkeys(names) if name not in bound]


def _ordered(region: Region) -> list[str]:
    """Return the names that a region reads, in source order."""
    nodes = [node for node in region.parts if isinstance(node, ast.Name)]
    nodes.sort(key=lambda node: (node.lineno, node.col_offset))
    return list(dict.fromkeys(node.id for node in nodes))
