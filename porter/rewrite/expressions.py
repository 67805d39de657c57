"""Rebuild LibCST expressions along the `ast` nodes of the plan.

Both trees come from the same text, so a node's children pair up one by one; only subtrees that hold
an edit are visited. This costs a small part of what LibCST's metadata providers cost.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import libcst as cst

from porter.plan.edits import Drop, Edit, Rename, Replace, ToDict, Value
from porter.rewrite.layout import TIGHT_EQUAL, laid_out, same_dot, to_dict
from porter.rewrite.template import Filler, atomic, fill, parenthesised, parse

TIGHT_PARENTS = (
    ast.BinOp,
    ast.UnaryOp,
    ast.Attribute,
    ast.Subscript,
    ast.Compare,
    ast.BoolOp,
    ast.Await,
    ast.Call,
)


class PairingError(Exception):
    """The two trees of one source do not match: an error of porter itself."""


class ExpressionRewriter:
    """Rewrite expressions; `done` holds what each visited node became."""

    def __init__(self, edits: dict[ast.AST, list[Edit]], tree: ast.AST) -> None:
        self.edits = edits
        self.done: dict[ast.AST, Any] = {}
        self.parents: dict[ast.AST, ast.AST] = {}
        self.touched: set[ast.AST] = set()
        self.values: set[ast.AST] = set()
        self.pending = {id(edit): node for node, given in edits.items() for edit in given}
        self._mark(tree)

    def _mark(self, tree: ast.AST) -> None:
        """Find every node on the way to an edit, or to a value that an edit writes."""
        for edits in self.edits.values():
            for edit in edits:
                for value in getattr(edit, "values", {}).values():
                    self.values.update(value if isinstance(value, tuple) else (value,))
        wanted = {*self.edits, *self.values}
        order = [tree]
        for node in order:
            if isinstance(node, ast.Name | ast.Constant):
                continue
            for child in ast.iter_child_nodes(node):
                if not isinstance(child, ast.expr_context):
                    self.parents[child] = node
                    order.append(child)
        for node in reversed(order):
            if node in wanted or node in self.touched:
                self.touched.add(node)
                parent = self.parents.get(node)
                if parent is not None:
                    self.touched.add(parent)

    def expression(self, node: ast.AST, tree: Any) -> Any:
        """Return the rewritten LibCST expression of an `ast` expression."""
        if node not in self.touched:
            return tree
        original = tree
        tree = self.rebuild(node, tree)
        self.done[node] = tree
        for edit in self.edits.get(node, ()):
            tree = self.edited(node, original, tree, edit)
            # A second edit of a node may put what the first one wrote into its template.
            self.done[node] = tree
            self.pending.pop(id(edit), None)
        return tree

    def edit_of(self, node: ast.AST, kind: type) -> Any:
        """Return the edit of one kind at a node, if there is one; it counts as applied."""
        for edit in self.edits.get(node, ()):
            if isinstance(edit, kind):
                self.pending.pop(id(edit), None)
                return edit
        return None

    def removed(self, *nodes: ast.AST) -> None:
        """Forget the edits below what is removed."""
        for node in nodes:
            for part in ast.walk(node):
                for edit in self.edits.get(part, ()):
                    self.pending.pop(id(edit), None)

    def edited(self, node: ast.AST, original: Any, tree: Any, edit: Edit) -> Any:
        if isinstance(edit, Replace):
            return self.replaced(node, original, tree, edit)
        if isinstance(edit, ToDict):
            return to_dict(tree, edit)
        if isinstance(edit, Rename):
            if isinstance(tree, cst.Attribute):
                return tree.with_changes(attr=cst.Name(edit.name))
            return tree.with_changes(value=edit.name)
        if isinstance(edit, Drop):
            return tree
        raise PairingError(f"{type(edit).__name__} is no edit of an expression")

    def value(self, item: ast.AST) -> Any:
        """Return what a value of an edit became."""
        if item not in self.done:
            raise PairingError("a value of an edit lies outside of the edited expression")
        return self.done[item]

    def filler(self, values: Mapping[str, Value]) -> Filler:
        """Return what gives the values of an edit by name."""

        def written(name: str) -> Any:
            value = values.get(name)
            if isinstance(value, tuple):
                return [self.value(item) for item in value]
            return None if value is None else self.value(value)

        return written

    def replaced(self, node: ast.AST, original: Any, tree: Any, edit: Replace) -> Any:
        """Fill a template; the layout of the call's arguments is kept where they stay arguments."""
        template = parse(edit.template)
        new = fill(template, self.filler(edit.values), edit.defaults)
        if (
            isinstance(new, cst.Call)
            and isinstance(tree, cst.Call)
            and isinstance(template, cst.Call)
        ):
            new = same_dot(tree, laid_out(tree, new))
        if isinstance(original, cst.NamedExpr):
            return new  # its parentheses were for the assignment
        if getattr(original, "lpar", ()):
            return new.with_changes(lpar=original.lpar, rpar=original.rpar)
        parent = self.parents.get(node)
        argument = isinstance(parent, ast.Call) and parent.func is not node
        if not atomic(new) and isinstance(parent, TIGHT_PARENTS) and not argument:
            return parenthesised(new)
        return new

    def rebuild(self, node: ast.AST, tree: Any) -> Any:
        """Return the tree with its children rewritten."""
        handler = getattr(self, f"pair_{type(node).__name__}", None)
        if handler is None:
            return tree
        return handler(node, tree)

    def fields(self, tree: Any, **pairs: ast.AST | None) -> Any:
        """Rewrite fields of a LibCST node from `ast` children given by keyword."""
        changes = {}
        for name, child in pairs.items():
            if child is not None:
                old = getattr(tree, name)
                new = self.expression(child, old)
                self.done.setdefault(child, new)
                if new is not old:
                    changes[name] = new
        return tree.with_changes(**changes) if changes else tree

    def sequence(
        self, nodes: Sequence[ast.AST | None], items: Sequence[Any], part: str = "value"
    ) -> list[Any]:
        """Rewrite one field of each item of a list."""
        if len(nodes) != len(items):
            raise PairingError(f"{len(nodes)} nodes for {len(items)} places")
        return [
            item if node is None else self.element(node, item, part)
            for node, item in zip(nodes, items, strict=True)
        ]

    def element(self, node: ast.AST, item: Any, part: str = "value") -> Any:
        """Rewrite an element or argument; `ast` holds a starred value one level deeper."""
        if isinstance(node, ast.Starred):
            new = self.fields(item, **{part: node.value})
            if isinstance(item, cst.Arg):
                self.done[node] = cst.StarredElement(new.value)
            else:
                self.done[node] = new
            return new
        return self.fields(item, **{part: node})

    def pair_Attribute(self, node: ast.Attribute, tree: Any) -> Any:
        return self.fields(tree, value=node.value)

    def pair_Call(self, node: ast.Call, tree: Any) -> Any:
        tree = self.fields(tree, func=node.func)
        return tree.with_changes(args=self.sequence(call_arguments(node), tree.args))

    def pair_BinOp(self, node: ast.BinOp, tree: Any) -> Any:
        return self.fields(tree, left=node.left, right=node.right)

    def pair_UnaryOp(self, node: ast.UnaryOp, tree: Any) -> Any:
        return self.fields(tree, expression=node.operand)

    def pair_BoolOp(self, node: ast.BoolOp, tree: Any) -> Any:
        """`a or b or c` is one node in `ast`, nested to the left in LibCST."""
        return self._boolean(list(node.values), tree)

    def _boolean(self, values: list[ast.expr], tree: Any) -> Any:
        right = self.fields(tree, right=values[-1])
        if len(values) == 2:
            return self.fields(right, left=values[0])
        return right.with_changes(left=self._boolean(values[:-1], tree.left))

    def pair_Compare(self, node: ast.Compare, tree: Any) -> Any:
        tree = self.fields(tree, left=node.left)
        return tree.with_changes(
            comparisons=self.sequence(node.comparators, tree.comparisons, "comparator")
        )

    def pair_IfExp(self, node: ast.IfExp, tree: Any) -> Any:
        return self.fields(tree, body=node.body, test=node.test, orelse=node.orelse)

    def pair_Tuple(self, node: ast.Tuple, tree: Any) -> Any:
        return tree.with_changes(elements=self.sequence(node.elts, tree.elements))

    pair_List = pair_Tuple
    pair_Set = pair_Tuple

    def pair_Dict(self, node: ast.Dict, tree: Any) -> Any:
        elements = []
        for key, value, element in zip(node.keys, node.values, tree.elements, strict=True):
            pairs: dict[str, ast.AST | None] = {"value": value}
            if key is not None:
                pairs["key"] = key
            elements.append(self.fields(element, **pairs))
        return tree.with_changes(elements=elements)

    def pair_Subscript(self, node: ast.Subscript, tree: Any) -> Any:
        tree = self.fields(tree, value=node.value)
        items = tree.slice
        if len(items) == 1 and not (
            isinstance(node.slice, ast.Tuple) and isinstance(items[0].comma, cst.Comma)
        ):
            nodes: list[ast.expr] = [node.slice]
        else:
            nodes = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        return tree.with_changes(
            slice=[self._index(n, i) for n, i in zip(nodes, items, strict=True)]
        )

    def _index(self, node: ast.expr, item: Any) -> Any:
        if isinstance(node, ast.Slice):
            inner = self.fields(item.slice, lower=node.lower, upper=node.upper, step=node.step)
        elif isinstance(node, ast.Starred):
            inner = self.fields(item.slice, value=node.value)
        else:
            inner = self.fields(item.slice, value=node)
        return item.with_changes(slice=inner)

    def pair_Lambda(self, node: ast.Lambda, tree: Any) -> Any:
        tree = tree.with_changes(params=self.parameters(node.args, tree.params))
        return self.fields(tree, body=node.body)

    def parameters(self, node: ast.arguments, tree: Any) -> Any:
        plain = [*node.posonlyargs, *node.args]
        defaults: list[ast.expr | None] = [None] * (len(plain) - len(node.defaults))
        defaults += node.defaults
        count = len(node.posonlyargs)
        changes: dict[str, Any] = {
            "posonly_params": self._each(plain[:count], defaults[:count], tree.posonly_params),
            "params": self._each(plain[count:], defaults[count:], tree.params),
            "kwonly_params": self._each(node.kwonlyargs, node.kw_defaults, tree.kwonly_params),
        }
        if node.vararg is not None:
            changes["star_arg"] = self._parameter(node.vararg, None, tree.star_arg)
        if node.kwarg is not None:
            changes["star_kwarg"] = self._parameter(node.kwarg, None, tree.star_kwarg)
        return tree.with_changes(**changes)

    def _each(
        self, nodes: Sequence[ast.arg], defaults: Sequence[ast.expr | None], trees: Sequence[Any]
    ) -> list[Any]:
        return [self._parameter(n, d, t) for n, d, t in zip(nodes, defaults, trees, strict=True)]

    def _parameter(self, node: ast.arg, default: ast.expr | None, tree: Any) -> Any:
        tree = self.fields(tree, default=default)
        if node.annotation is None:
            return tree
        if self.edit_of(node.annotation, Drop) is not None:
            changes: dict[str, Any] = {"annotation": None}
            if tree.default is not None:
                changes["equal"] = TIGHT_EQUAL
            return tree.with_changes(**changes)
        inner = self.fields(tree.annotation, annotation=node.annotation)
        return tree.with_changes(annotation=inner)

    def pair_Yield(self, node: ast.Yield, tree: Any) -> Any:
        return self.fields(tree, value=node.value)

    def pair_YieldFrom(self, node: ast.YieldFrom, tree: Any) -> Any:
        return tree.with_changes(value=self.fields(tree.value, item=node.value))

    def pair_NamedExpr(self, node: ast.NamedExpr, tree: Any) -> Any:
        return self.fields(tree, value=node.value)

    def pair_Await(self, node: ast.Await, tree: Any) -> Any:
        return self.fields(tree, expression=node.value)

    def pair_ListComp(self, node: ast.ListComp, tree: Any) -> Any:
        tree = self.fields(tree, elt=node.elt)
        return tree.with_changes(for_in=self._loops(node.generators, tree.for_in))

    pair_SetComp = pair_ListComp
    pair_GeneratorExp = pair_ListComp

    def pair_DictComp(self, node: ast.DictComp, tree: Any) -> Any:
        tree = self.fields(tree, key=node.key, value=node.value)
        return tree.with_changes(for_in=self._loops(node.generators, tree.for_in))

    def _loops(self, generators: Sequence[ast.comprehension], tree: Any) -> Any:
        first = generators[0]
        tree = self.fields(tree, target=first.target, iter=first.iter)
        tree = tree.with_changes(ifs=self.sequence(first.ifs, tree.ifs, "test"))
        if len(generators) > 1:
            tree = tree.with_changes(inner_for_in=self._loops(generators[1:], tree.inner_for_in))
        return tree

    def pair_JoinedStr(self, node: ast.JoinedStr, tree: Any) -> Any:
        holes = iter([part for part in node.values if isinstance(part, ast.FormattedValue)])
        return self._string(tree, holes)

    def _string(self, tree: Any, holes: Iterator[ast.FormattedValue]) -> Any:
        if isinstance(tree, cst.ConcatenatedString):
            left = self._string(tree.left, holes)
            return tree.with_changes(left=left, right=self._string(tree.right, holes))
        if not isinstance(tree, cst.FormattedString):
            return tree
        quote = tree.start[-1]
        return tree.with_changes(parts=[self._part(part, holes, quote) for part in tree.parts])

    def _part(self, part: Any, holes: Iterator[ast.FormattedValue], quote: str) -> Any:
        """Rewrite a hole of an f-string, and the holes in its format."""
        if not isinstance(part, cst.FormattedStringExpression):
            return part
        hole = next(holes)
        new = self.fields(part, expression=hole.value)
        if part.format_spec is not None and isinstance(hole.format_spec, ast.JoinedStr):
            values = hole.format_spec.values
            inner = iter([item for item in values if isinstance(item, ast.FormattedValue)])
            spec = [self._part(item, inner, quote) for item in part.format_spec]
            if any(a is not b for a, b in zip(spec, part.format_spec, strict=True)):
                new = new.with_changes(format_spec=spec)
        return part if new is part else _requoted(new, quote)


def _requoted(tree: Any, quote: str) -> Any:
    """Give strings inside an f-string the other quote: before Python 3.12 they cannot share it."""
    other = "'" if quote == '"' else '"'

    class Requote(cst.CSTTransformer):
        def leave_SimpleString(
            self, original_node: cst.SimpleString, updated_node: cst.SimpleString
        ) -> cst.BaseExpression:
            text = original_node.value
            if text.startswith(quote) and other not in text:
                return updated_node.with_changes(value=text.replace(quote, other))
            return updated_node

    return tree.visit(Requote())


def call_arguments(node: ast.Call) -> list[ast.expr]:
    """Return the values of a call's arguments in the order in which the source has them."""
    values = [*node.args, *(keyword.value for keyword in node.keywords)]
    return sorted(values, key=lambda value: (value.lineno, value.col_offset))
