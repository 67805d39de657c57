"""Rebuild LibCST statements along the `ast` statements of the plan."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

import libcst as cst

from porter.plan.edits import (
    AddParameter,
    After,
    Before,
    ClassBody,
    Drop,
    Edit,
    Enclose,
    KeepElse,
    KeepHandler,
    LeaveOut,
    Rename,
    ReplaceStatement,
    Unwrap,
)
from porter.rewrite.enclosing import Group, enclosed
from porter.rewrite.expressions import ExpressionRewriter, PairingError
from porter.rewrite.layout import (
    inserted_into,
    is_pass,
    raising,
    split_lines,
    with_comments,
    with_parameter,
)
from porter.rewrite.template import fill, parse_line, parse_statement


class StatementRewriter(ExpressionRewriter):
    """Rewrite statements, and through them the expressions that they hold."""

    def __init__(self, edits: dict[ast.AST, list[Edit]], tree: ast.AST, text: str) -> None:
        super().__init__(edits, tree)
        lines = split_lines(text)
        self.commented = [number for number, line in enumerate(lines, 1) if "#" in line]
        # Comments at the end of a block that was dissolved; they go above what follows.
        self.carried: list[cst.EmptyLine] = []
        self.written: dict[ast.stmt, list[Any]] = {}
        self.enclosing: dict[ast.AST, list[tuple[Enclose, ast.AST]]] = {}
        for node, given in edits.items():
            for edit in given:
                if isinstance(edit, Enclose):
                    self.enclosing.setdefault(edit.place, []).append((edit, node))

    def module(self, node: ast.Module, tree: cst.Module) -> cst.Module:
        """Return the rewritten module.

        Raises:
            PairingError: when the two trees differ, or a planned edit finds no place.
        """
        body = self.block(node.body, tree.body)
        if self.pending:
            lost = next(iter(self.pending.values()))
            line = getattr(lost, "lineno", "?")
            raise PairingError(f"the edit of {ast.unparse(lost)} in line {line} has no place")
        footer = [*self.carried, *tree.footer]
        self.carried = []
        return tree.with_changes(body=body, footer=footer)

    def block(self, nodes: Sequence[ast.stmt], trees: Sequence[Any]) -> list[Any]:
        """Rewrite a list of statements; small statements of one line are one LibCST node."""
        groups: list[Group] = []
        position = 0
        for tree in trees:
            carried, self.carried = self.carried, []
            if isinstance(tree, cst.SimpleStatementLine):
                count = len(tree.body)
                new = self.line(nodes[position : position + count], tree)
            else:
                count = 1
                new = self.compound(nodes[position], tree)
            if carried and new:
                lines = [*carried, *new[0].leading_lines]
                new = [new[0].with_changes(leading_lines=lines), *new[1:]]
            elif carried:
                self.carried = [*carried, *self.carried]
            groups.append(Group(list(nodes[position : position + count]), new))
            if count == 1:
                self.written[nodes[position]] = new
            position += count
        if position != len(nodes):
            raise PairingError(f"{len(nodes)} statements for {position} places")
        for node in nodes:
            for edit, anchor in self.enclosing.pop(node, ()):
                self.edit_of(anchor, Enclose)
                groups = enclosed(groups, edit, self.filler(edit.values), self.written)
        return [line for group in groups for line in group.lines]

    def line(self, nodes: Sequence[ast.stmt], tree: cst.SimpleStatementLine) -> list[Any]:
        if not any(node in self.touched for node in nodes):
            return [tree]
        small = self.small(nodes, tree.body)
        new = tree.with_changes(body=small)
        if small and self.has_comments(nodes[0].lineno, nodes[-1].end_lineno or 0):
            new = with_comments(tree, new)
        inserted = [line for node in nodes for line in self.inserted(node, Before)]
        following = [line for node in nodes for line in self.inserted(node, After)]
        return [*self.before(inserted, [new] if small else []), *following]

    def has_comments(self, first: int, end: int) -> bool:
        """Tell whether a comment may stand in the lines before `end`, which keeps its own."""
        position = bisect_left(self.commented, first)
        return position < len(self.commented) and self.commented[position] < end

    def small(self, nodes: Sequence[ast.stmt], trees: Sequence[Any]) -> list[Any]:
        result = []
        for node, tree in zip(nodes, trees, strict=True):
            new = self.simple(node, tree)
            if new is not None:
                result.append(new)
        if result and len(result) < len(trees):
            result[-1] = result[-1].with_changes(semicolon=cst.MaybeSentinel.DEFAULT)
        return result

    def simple(self, node: ast.stmt, tree: Any) -> Any:
        """Rewrite a small statement; None when it vanishes."""
        if node not in self.touched:
            return tree
        handler = getattr(self, f"simple_{type(node).__name__}", None)
        if self.edit_of(node, Drop) is not None:
            if handler is not None and not self.values.isdisjoint(ast.walk(node)):
                handler(node, tree)  # what it holds is written elsewhere
            self.removed(node)
            return None
        if handler is not None:
            tree = handler(node, tree)
        replacement = self.edit_of(node, ReplaceStatement)
        if replacement is None:
            return tree
        return fill(parse_statement(replacement.template), self.filler(replacement.values), {})

    def inserted(self, node: ast.stmt, place: type[Before] | type[After]) -> list[Any]:
        """Return the statements that the plan puts beside one that is written already."""
        lines = []
        for edit in self.edits.get(node, ()):
            if isinstance(edit, place):
                self.pending.pop(id(edit), None)
                filler = self.filler(edit.values)
                lines += [fill(parse_line(line), filler, {}) for line in edit.lines]
        return lines

    def before(self, inserted: list[Any], new: list[Any]) -> list[Any]:
        """Put statements before others, below the comments of these."""
        if not inserted or not new:
            return new
        inserted[0] = inserted[0].with_changes(leading_lines=new[0].leading_lines)
        return [*inserted, new[0].with_changes(leading_lines=[]), *new[1:]]

    def simple_Expr(self, node: ast.Expr, tree: Any) -> Any:
        return self.fields(tree, value=node.value)

    simple_Return = simple_Expr

    def simple_Assign(self, node: ast.Assign, tree: Any) -> Any:
        tree = self.fields(tree, value=node.value)
        return tree.with_changes(targets=self.sequence(node.targets, tree.targets, "target"))

    def simple_AugAssign(self, node: ast.AugAssign, tree: Any) -> Any:
        return self.fields(tree, target=node.target, value=node.value)

    def simple_AnnAssign(self, node: ast.AnnAssign, tree: Any) -> Any:
        tree = self.fields(tree, target=node.target, value=node.value)
        if self.edit_of(node.annotation, Drop) is None:
            inner = self.fields(tree.annotation, annotation=node.annotation)
            return tree.with_changes(annotation=inner)
        if tree.value is None:
            return tree.with_changes(
                annotation=cst.Annotation(cst.Name("object")), equal=cst.MaybeSentinel.DEFAULT
            )
        return cst.Assign([cst.AssignTarget(tree.target)], tree.value, semicolon=tree.semicolon)

    def simple_Raise(self, node: ast.Raise, tree: Any) -> Any:
        tree = self.fields(tree, exc=node.exc)
        if node.cause is None:
            return tree
        return tree.with_changes(cause=self.fields(tree.cause, item=node.cause))

    def simple_Delete(self, node: ast.Delete, tree: Any) -> Any:
        if len(node.targets) == 1 and not isinstance(tree.target, cst.Tuple):
            return self.fields(tree, target=node.targets[0])
        elements = self.sequence(node.targets, tree.target.elements)
        return tree.with_changes(target=tree.target.with_changes(elements=elements))

    def simple_Assert(self, node: ast.Assert, tree: Any) -> Any:
        return self.fields(tree, test=node.test, msg=node.msg)

    def compound(self, node: ast.stmt, tree: Any) -> list[Any]:
        """Rewrite a compound statement into any number of statements."""
        if node not in self.touched:
            return [tree]
        if self.edit_of(node, Drop) is not None:
            self.removed(node)
            return []
        handler = getattr(self, f"compound_{type(node).__name__}", None)
        if handler is None:
            return [tree]
        new = handler(node, tree)
        if not isinstance(new, list):
            if self.has_comments(node.lineno, _first_line(node)):
                new = with_comments(tree, new)
            new = [new]
        return [*self.before(self.inserted(node, Before), new), *self.inserted(node, After)]

    def suite(self, nodes: Sequence[ast.stmt], tree: Any) -> Any:
        """Rewrite the body of a compound statement; an emptied one holds `pass`."""
        if isinstance(tree, cst.SimpleStatementSuite):
            return tree.with_changes(body=self.small(nodes, tree.body) or [cst.Pass()])
        body = self.block(nodes, tree.body) or [cst.SimpleStatementLine([cst.Pass()])]
        footer, self.carried = [*self.carried, *tree.footer], []
        return tree.with_changes(body=body, footer=footer)

    def statements_of(self, nodes: Sequence[ast.stmt], tree: Any) -> list[Any]:
        """Return a body's statements, to stand one level further out."""
        suite = self.suite(nodes, tree)
        if isinstance(suite, cst.SimpleStatementSuite):
            return [
                cst.SimpleStatementLine(suite.body, trailing_whitespace=suite.trailing_whitespace)
            ]
        self.carried = [line for line in suite.footer if line.comment is not None]
        return list(suite.body)

    def with_lines_of(self, statements: list[Any], tree: Any) -> list[Any]:
        """Give the comments and blank lines above a removed statement to what takes its place."""
        if statements and tree.leading_lines:
            first = statements[0]
            statements[0] = first.with_changes(
                leading_lines=[*tree.leading_lines, *first.leading_lines]
            )
        return statements

    def compound_With(self, node: ast.With, tree: Any) -> Any:
        if self.edit_of(node, Unwrap) is not None:
            self.removed(*node.items)
            return self.with_lines_of(self.statements_of(node.body, tree.body), tree)
        items = [
            self.fields(i, item=n.context_expr) for n, i in zip(node.items, tree.items, strict=True)
        ]
        return tree.with_changes(items=items, body=self.suite(node.body, tree.body))

    compound_AsyncWith = compound_With

    def _item(self, node: ast.withitem, tree: Any) -> Any:
        tree = self.fields(tree, item=node.context_expr)
        if node.optional_vars is None:
            return tree
        return tree.with_changes(asname=self.fields(tree.asname, name=node.optional_vars))

    def compound_If(self, node: ast.If, tree: Any) -> Any:
        if self.edit_of(node, KeepElse) is not None:
            self.removed(node.test, *node.body)
            if tree.orelse is None:
                return []
            if isinstance(tree.orelse, cst.If):
                inner = self.compound(node.orelse[0], tree.orelse)
            else:
                inner = self.statements_of(node.orelse, tree.orelse.body)
            return self.with_lines_of(inner, tree)
        if self.edit_of(node, Unwrap) is not None:
            self.removed(node.test, *node.orelse)
            return self.with_lines_of(self.statements_of(node.body, tree.body), tree)
        tree = self.fields(tree, test=node.test)
        tree = tree.with_changes(body=self.suite(node.body, tree.body))
        if tree.orelse is None:
            return tree
        if isinstance(tree.orelse, cst.Else):
            return tree.with_changes(orelse=self._else(node.orelse, tree.orelse))
        chain = self.compound(node.orelse[0], tree.orelse)
        if not chain:
            return tree.with_changes(orelse=None)
        if len(chain) == 1 and isinstance(chain[0], cst.If):
            return tree.with_changes(orelse=chain[0])
        return tree.with_changes(orelse=cst.Else(cst.IndentedBlock(chain)))

    def _else(self, nodes: Sequence[ast.stmt], tree: Any) -> Any:
        return tree.with_changes(body=self.suite(nodes, tree.body))

    def _loop(self, node: Any, tree: Any) -> Any:
        tree = tree.with_changes(body=self.suite(node.body, tree.body))
        if tree.orelse is not None:
            tree = tree.with_changes(orelse=self._else(node.orelse, tree.orelse))
        return tree

    def compound_For(self, node: ast.For, tree: Any) -> Any:
        return self._loop(node, self.fields(tree, target=node.target, iter=node.iter))

    compound_AsyncFor = compound_For

    def compound_While(self, node: ast.While, tree: Any) -> Any:
        return self._loop(node, self.fields(tree, test=node.test))

    def compound_Try(self, node: ast.Try, tree: Any) -> Any:
        kept = self.edit_of(node, KeepHandler)
        if kept is not None:
            handler = node.handlers[kept.position]
            types = [handler.type] if handler.type is not None else []
            others = [item for item in node.handlers if item is not handler]
            self.removed(*node.body, *node.orelse, *types, *others)
            body = self.statements_of(handler.body, tree.handlers[kept.position].body)
            body = [item for item in body if not is_pass(item)]
            return self.with_lines_of(body, tree)
        if self.edit_of(node, Unwrap) is not None:
            self.removed(*node.handlers)
            return self.with_lines_of(self.statements_of(node.body, tree.body), tree)
        tree = self._loop(node, tree)
        handlers = []
        for handler, item in zip(node.handlers, tree.handlers, strict=True):
            if handler.type is not None:
                item = self.fields(item, type=handler.type)
            handlers.append(item.with_changes(body=self.suite(handler.body, item.body)))
        tree = tree.with_changes(handlers=handlers)
        if tree.finalbody is not None:
            tree = tree.with_changes(finalbody=self._else(node.finalbody, tree.finalbody))
        return tree

    compound_TryStar = compound_Try

    def compound_Match(self, node: ast.Match, tree: Any) -> Any:
        tree = self.fields(tree, subject=node.subject)
        cases = []
        for case, item in zip(node.cases, tree.cases, strict=True):
            item = self.fields(item, guard=case.guard)
            cases.append(item.with_changes(body=self.suite(case.body, item.body)))
        return tree.with_changes(cases=cases)

    def decorators(self, nodes: Sequence[ast.expr], trees: Sequence[Any]) -> list[Any]:
        return [
            self.fields(tree, decorator=node)
            for node, tree in zip(nodes, trees, strict=True)
            if self.edit_of(node, Drop) is None
        ]

    def compound_ClassDef(self, node: ast.ClassDef, tree: Any) -> Any:
        rename = self.edit_of(node, Rename)
        body = self.suite(node.body, tree.body)
        insertion = self.edit_of(node, ClassBody)
        if insertion is not None and isinstance(body, cst.IndentedBlock):
            body = body.with_changes(body=inserted_into(list(body.body), insertion))
        bases = [
            item
            for base, item in zip(node.bases, self.sequence(node.bases, tree.bases), strict=True)
            if self.edit_of(base, Drop) is None
        ]
        if len(bases) < len(node.bases):
            if bases and not tree.keywords:
                bases[-1] = bases[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
            elif not bases and not tree.keywords:
                none = cst.MaybeSentinel.DEFAULT
                tree = tree.with_changes(lpar=none, rpar=none)
        return tree.with_changes(
            name=cst.Name(rename.name) if rename else tree.name,
            bases=bases,
            keywords=self.sequence([k.value for k in node.keywords], tree.keywords),
            decorators=self.decorators(node.decorator_list, tree.decorators),
            body=body,
        )

    def compound_FunctionDef(self, node: Any, tree: Any) -> Any:
        left_out = self.edit_of(node, LeaveOut)
        if left_out is not None:
            self.removed(*ast.iter_child_nodes(node))
            return raising(node.name, left_out).with_changes(leading_lines=tree.leading_lines)
        rename = self.edit_of(node, Rename)
        returns = tree.returns
        if node.returns is not None:
            if self.edit_of(node.returns, Drop) is not None:
                returns = None
            else:
                returns = self.fields(returns, annotation=node.returns)
        parameters = self.parameters(node.args, tree.params)
        added = self.edit_of(node, AddParameter)
        if added is not None:
            parameters = with_parameter(parameters, added.name)
        return tree.with_changes(
            name=cst.Name(rename.name) if rename else tree.name,
            params=parameters,
            returns=returns,
            decorators=self.decorators(node.decorator_list, tree.decorators),
            body=self.suite(node.body, tree.body),
        )

    compound_AsyncFunctionDef = compound_FunctionDef


def _first_line(node: Any) -> int:
    """Return the line where the block of a compound statement begins."""
    first = node.cases[0].pattern if isinstance(node, ast.Match) else node.body[0]
    return int(first.lineno)
