"""Tell what MindSpore differentiates twice as torch does.

In PYNATIVE_MODE the gradient of a gradient loses what depends on the gradient that a reduction or
a product of matrices was given, without an error: `sin(sum(x))` has a second derivative of zero.
Elementwise functions are right, and so is a reduction at the end.
"""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext
from porter.plan.regions import Region
from porter.source.recorded import Recorded

ELEMENTWISE = frozenset(
    (
        *("abs", "add", "cos", "cosh", "div", "exp", "expm1", "log", "log1p", "mul", "neg", "pow"),
        *("reciprocal", "sigmoid", "sin", "sinh", "sqrt", "square", "sub", "tan", "tanh"),
    )
)
REDUCTIONS = ("mean", "sum")
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)


def is_right_twice(context: PlanContext, recorded: Recorded, region: Region) -> bool:
    """Tell whether a region computes by elementwise functions alone, but for a last reduction."""
    check = _Check(context, recorded, region)
    return check.loss(region.loss) and all(check.statement(item) for item in region.body)


class _Check:
    def __init__(self, context: PlanContext, recorded: Recorded, region: Region) -> None:
        self.context = context
        self.recorded = recorded
        self.scope = context.names.scopes[region.unit]
        self.entered: set[ast.AST] = set()

    def loss(self, node: ast.expr) -> bool:
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=name), args=[], keywords=[]):
                return self.plain(value if name in REDUCTIONS else node)
        return self.plain(node)

    def statement(self, node: ast.stmt) -> bool:
        match node:
            case ast.Assign(value=value) | ast.Return(value=ast.expr() as value):
                return self.plain(value)
        return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)

    def plain(self, node: ast.expr) -> bool:
        """Tell whether an expression is elementwise."""
        match node:
            case ast.Name() | ast.Constant():
                return True
            case ast.BinOp(left=left, op=op, right=right):
                return isinstance(op, OPERATORS) and self.plain(left) and self.plain(right)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.plain(operand)
            case ast.Tuple(elts=items):
                return all(map(self.plain, items))
            case ast.Subscript(value=ast.Call() as call):
                return self.is_derivative(call)
            case ast.Call():
                return self.call(node)
        return False

    def is_derivative(self, call: ast.Call) -> bool:
        name = self.context.names.qualified(call.func, self.scope)
        return name == "torch.autograd.grad"

    def call(self, node: ast.Call) -> bool:
        if self.is_derivative(node):
            return True
        if node.keywords or not all(map(self.plain, node.args)):
            return False
        name = self.context.names.qualified(node.func, self.scope)
        if name is not None:
            return name.startswith("torch.") and name.rpartition(".")[2] in ELEMENTWISE
        if isinstance(node.func, ast.Attribute):
            return node.func.attr in ELEMENTWISE and self.plain(node.func.value)
        functions = self.recorded.functions.get(getattr(node.func, "id", ""), [])
        return bool(functions) and all(self.function(item) for item in functions)

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        if node in self.entered:
            return False
        self.entered.add(node)
        outer, self.scope = self.scope, self.context.names.scopes[node]
        found = all(self.statement(item) for item in node.body)
        self.scope = outer
        self.entered.discard(node)
        return found
