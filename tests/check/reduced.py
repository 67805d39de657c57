"""Cut a finding down to the smallest Net with the same MindSpore constructs, to be compiled.

What stands at a finding is kept. What it is made of, such as `self.proj(x)` or a name of the
function, becomes a tensor, a size or a constant, as the checker takes it for.
"""

from __future__ import annotations

import ast
import builtins
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from porter.check.rule import ClassContext, Context, Hit

LIBRARIES = ("mindspore", "numpy", "math", "functools", "random", "copy", "typing")
KEPT_ATTRIBUTES = frozenset(["shape", "dtype", "ndim", "T"])
ON_RECEIVER = frozenset(["PRT320", "PRT321", "PRT322", "PRT323", "PRT324", "PRT327", "PRT346"])
EXPRESSIONS = ON_RECEIVER | {"PRT301", "PRT302", "PRT303", "PRT304", "PRT340", "PRT341", "PRT343"}
TENSORS = [f"ops.ones({shape}, ms.float32)" for shape in ("(2, 3, 4)", "(2, 3)", "(2, 3, 4, 5)")]
UNITS = [f"ops.ones({(1,) * rank}, ms.float32)" for rank in (3, 2, 1, 4, 5)]
INTEGERS = [f"ops.ones({shape}, ms.int64)" for shape in ("(2, 3)", "(3,)", "(1,)")]
SIZES = {"dim": ["x.shape[0]"], "shape": ["x.shape"], "str": ["'text'"], "dtype": ["ms.float32"]}
PLAIN = ("2", "1", "(2, 3)", "x.shape[0]", "iter((x, x))", "('a', 'b')", "None")
MOST = 60
HEAD = """import collections
import copy
import dataclasses
import functools
import math
import random

import mindspore
import mindspore as ms
import numpy
import numpy as np
from mindspore import Parameter, Tensor, mint, nn, ops

"""


@dataclass
class Cutter(ast.NodeTransformer):
    """Replaces the parts of one expression that are not of MindSpore, NumPy or Python."""

    context: Context
    bound: set[str]
    parts: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By the text that is replaced: the new name, and the kind."""

    def stub(self, node: ast.expr, kind: str | None = None) -> ast.expr:
        text = ast.unparse(node)
        if text not in self.parts:
            self.parts[text] = (f"v{len(self.parts)}", kind or self.context.kind(node))
        return ast.Name(self.parts[text][0], ast.Load())

    def library(self, node: ast.expr) -> ast.expr | None:
        qualified = self.context.qualified(node)
        if qualified is None or qualified.partition(".")[0] not in LIBRARIES:
            return None
        return ast.parse(qualified, mode="eval").body

    def visit_Name(self, node: ast.Name) -> ast.expr:
        known = self.library(node)
        if known is not None:
            return known
        if node.id in self.bound or (hasattr(builtins, node.id) and node.id not in ("input",)):
            return node
        return self.stub(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        known = self.library(node)
        if known is not None:
            return known
        if node.attr in KEPT_ATTRIBUTES:
            return ast.Attribute(self.whole(node.value), node.attr, ast.Load())
        return self.stub(node)

    def whole(self, node: ast.expr) -> ast.expr:
        """Return a receiver: a tensor in the place of anything."""
        if isinstance(node, ast.Name) and node.id in self.bound:
            return node
        return self.stub(node, "tensor")

    def visit_Call(self, node: ast.Call) -> ast.expr:
        function = self.library(node.func)
        if function is None and isinstance(node.func, ast.Name) and hasattr(builtins, node.func.id):
            function = node.func
        if (
            function is None
            and isinstance(node.func, ast.Attribute)
            and self.context.kind(node.func.value) == "tensor"
        ):
            function = ast.Attribute(self.whole(node.func.value), node.func.attr, ast.Load())
        if function is None:
            return self.stub(node)
        arguments = [self.visit(item) for item in node.args]
        keywords = [ast.keyword(item.arg, self.visit(item.value)) for item in node.keywords]
        return ast.Call(function, arguments, keywords)


def expression(context: Context, code: str, node: ast.Call) -> tuple[ast.expr, Cutter]:
    """Return the expression of a finding with its parts replaced."""
    bound = {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }
    cutter = Cutter(context, bound)
    if isinstance(node.func, ast.Attribute) and (
        code in ON_RECEIVER or (code in ("PRT304", "PRT341") and cutter.library(node.func) is None)
    ):
        kind = context.kind(node.func.value) if code == "PRT341" else "tensor"
        arguments = [cutter.visit(item) for item in node.args]
        keywords = [ast.keyword(item.arg, cutter.visit(item.value)) for item in node.keywords]
        receiver = cutter.stub(node.func.value, kind)
        made = ast.Call(ast.Attribute(receiver, node.func.attr, ast.Load()), arguments, keywords)
        return made, cutter
    result = cutter.visit(node)
    assert isinstance(result, ast.expr)
    return result, cutter


def nets(context: Context | ClassContext, hit: Hit) -> Iterator[str]:
    """Yield the texts of Nets that may run, in the order in which they are to be tried."""
    node = hit.node
    if isinstance(context, ClassContext):
        yield from _of_class(hit)
        return
    if hit.code == "PRT333" and not isinstance(node, ast.Call):
        yield from _loop(context, node)
    elif hit.code in (*EXPRESSIONS, "PRT332", "PRT333") and isinstance(node, ast.Call):
        made, cutter = expression(context, hit.code, node)
        text = ast.unparse(ast.fix_missing_locations(made))
        units = hit.code == "PRT321"
        if hit.code == "PRT324":
            name = cutter.parts[ast.unparse(node.func.value)][0]  # type: ignore[attr-defined]
            body = f"{name} = {name} * 2\n        {text}\n        return {name} + x.sum()"
        elif hit.code == "PRT332":
            body = f"y = x\n        for _ in {text}:\n            y = y + 1\n        return y"
        else:
            body = f"return {text}"
        yield from _filled(body, cutter, units)
    else:
        yield from _template(context, hit)


def _loop(context: Context, node: ast.AST) -> Iterator[str]:
    call = isinstance(node, ast.Call)
    cutter = Cutter(context, set())
    value = node.args[0] if isinstance(node, ast.Call) else node
    assert isinstance(value, ast.expr)
    name = cutter.whole(value)
    text = ast.unparse(name)
    target, source = ("i, r", f"enumerate({text})") if call else ("r", text)
    loop = (
        f"y = 0\n        for {target} in {source}:\n            y = y + r.sum()\n        return y"
    )
    yield from _filled(loop, cutter, units=False)


def _filled(body: str, cutter: Cutter, units: bool) -> Iterator[str]:
    """Yield the Nets of all choices: tensors come in as arguments."""
    choices = []
    for name, kind in cutter.parts.values():
        tensors = UNITS if units else [*TENSORS, UNITS[2], *INTEGERS]
        if kind in ("tensor", "maybe"):
            choices.append([(name, item, True) for item in tensors])
        elif kind in SIZES:
            choices.append([(name, item, False) for item in SIZES[kind]])
        elif kind == "const":
            choices.append([(name, "1" if units else "2", False)])
        else:
            plain = [(name, item, False) for item in PLAIN]
            choices.append([*plain, *((name, item, True) for item in tensors)])
    for chosen in itertools.islice(itertools.product(*choices), MOST):
        local = "".join(f"        {name} = {value}\n" for name, value, given in chosen if not given)
        given = [(name, value) for name, value, is_given in chosen if is_given]
        parameters = ", ".join(["x", *(name for name, _ in given)])
        inputs = ["float32[2, 3]", *(_spec(value) for _, value in given)]
        yield (
            f"# inputs: {', '.join(inputs)}\n# inputs: {', '.join(inputs)}\n{HEAD}\n"
            f"class Net(nn.Cell):\n    def construct(self, {parameters}):\n{local}        {body}\n"
        )


def _spec(value: str) -> str:
    shape, dtype = value.removeprefix("ops.ones((").removesuffix(")").rsplit("), ms.", 1)
    return f"{dtype}[{shape.strip(', ')}]"


def _net(construct: str, before: str = "", init: str = "") -> str:
    made = f"    def __init__(self):\n        super().__init__()\n{init}\n" if init else ""
    return f"# inputs: float32[2, 3]\n{HEAD}\n{before}\nclass Net(nn.Cell):\n{made}{construct}"


STATEMENTS = {
    ast.Delete: "        y = x * 2\n        z = y + 1\n        del y\n        return z\n",
    ast.NamedExpr: "        if (y := x.sum()) is not None:\n            x = y\n        return x\n",
    ast.Try: "        try:\n            y = x * 2\n        except ValueError:\n            y = x\n"
    "        return y\n",
    ast.ImportFrom: "        from math import pi\n\n        return x * pi\n",
    ast.Import: "        import math\n\n        return x * math.pi\n",
    ast.ListComp: "        y = [v * 2 for r in (x, x) for v in (r, r)]\n        return y[0]\n",
    ast.Set: "        return x * 2 if 3 in {1, 3} else x\n",
}
WITH = "        with {item}:\n            y = x * 2\n        return y\n"


def _template(context: Context, hit: Hit) -> Iterator[str]:
    """Yield the Net of a finding that is a statement, or about an object."""
    node, head = hit.node, "    def construct(self, x):\n"
    if hit.code == "PRT305" and type(node) in STATEMENTS:
        yield _net(head + STATEMENTS[type(node)])
    elif hit.code == "PRT305" and isinstance(node, ast.With):
        item = node.items[0].context_expr
        cutter = Cutter(context, set())
        known = cutter.library(item.func if isinstance(item, ast.Call) else item)
        text = f"{ast.unparse(known)}()" if known is not None else "open_context()"
        before = (
            "import contextlib\n\n\n@contextlib.contextmanager\ndef open_context():\n    yield\n\n"
        )
        yield _net(head + WITH.format(item=text), before)
    elif hit.code == "PRT306" and isinstance(node, ast.Attribute | ast.Subscript):
        while isinstance(node, ast.Subscript):
            node = node.value
        assert isinstance(node, ast.Attribute)
        yield _net(
            f"{head}        self.{node.attr} = x.sum()\n        return x * 2\n",
            init=f"        self.{node.attr} = None",
        )
        yield _net(
            f"{head}        self.{node.attr} = self.{node.attr} + 1\n        return x * 2\n",
            init=f"        self.{node.attr} = 1",
        )
    elif hit.code == "PRT309":
        yield _net(
            f"{head}        self.weight = Parameter(x * 2)\n        return x * self.weight\n",
            init="        self.weight = None",
        )
    elif hit.code == "PRT310" and isinstance(node, ast.AugAssign):
        sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}[type(node.op)]
        before = (
            f"class Part(nn.Cell):\n    def construct(self, x, v):\n        x {sign}= v\n"
            "        return x\n\n"
        )
        yield _net(
            f"{head}        h = x + 1\n        return h + self.part(h, x.sum())\n",
            before,
            "        self.part = Part()",
        )
    elif hit.code == "PRT315" and isinstance(node, ast.Call):
        names = [item.arg for item in node.keywords if item.arg]
        names += [f"field{number}" for number in range(len(node.args))]
        fields = "".join(f"    {name}: Tensor = None\n" for name in names)
        name = ast.unparse(node.func).replace(".", "_")
        given = ", ".join(f"{item}=x * 2" for item in names)
        before = f"@dataclasses.dataclass\nclass {name}:\n{fields}\n"
        yield _net(f"{head}        return {name}({given}).{names[0]}\n", before)
    elif hit.code == "PRT316" and isinstance(node, ast.Call):
        method = ast.unparse(node.func).rpartition(".")[2]
        tail = ", ".join(["'key'", *("None" for _ in node.args[1:])]) if node.args else ""
        inner = "    def inner(self, x, **kwargs):\n"
        inner += f"        y = kwargs.{method}({tail})\n"
        inner += f"        return x * {'y[chr(107) + chr(101)]' if not tail else 'y'}\n\n"
        yield _net(f"{inner}{head}        return self.inner(x, key=x * 3, other=x)\n")
        yield _net(
            f"{head}        d = {{'key': x * 3, 'other': x}}\n        y = d.{method}({tail})\n"
            f"        return x * {'y[chr(39)]' if not tail else 'y'}\n"
        )
    elif hit.code == "PRT307" and isinstance(node, ast.arg):
        yield _net(f"    def construct({node.arg}, x):\n        return x * 2\n")
    elif hit.code == "PRT307":
        method = "    @classmethod\n    def part(cls, x):\n        return x * 2\n\n"
        yield _net(f"{method}{head}        return self.part(x)\n")
    elif hit.code == "PRT311" and isinstance(node, ast.AugAssign):
        yield _net(
            f"{head}        q = x * 2\n        y = q\n        y += 1\n        return q + y\n"
        )
    elif hit.code == "PRT334":
        grown = "        ys = [x]\n        if x.sum() > 0:\n            ys.append(x)\n"
        yield _net(f"{head}{grown}        return ops.cat(tuple(ys))\n")
    elif hit.code == "PRT336":
        joined = "        m = None\n        if x.sum() > 0:\n            m = x * 2\n"
        yield _net(f"{head}{joined}        return x if m is None else m\n")
    elif hit.code == "PRT335":
        grown = (
            "        ys = []\n        for i in range(x.shape[0]):\n            ys.append(x[i])\n"
        )
        yield _net(f"{head}{grown}        return ops.stack(ys)\n")
    elif hit.code == "PRT312":
        before = (
            "def doubled(function):\n    @functools.wraps(function)\n"
            "    def wrapper(self, *args, **kwargs):\n"
            "        kwargs.pop('return_dict', None)\n"
            "        return function(self, *args, **kwargs) * 2\n\n    return wrapper\n\n"
        )
        yield _net(f"    @doubled\n{head}        return x + 1\n", before)


def _of_class(hit: Hit) -> Iterator[str]:
    """Yield the Nets of a finding in a constructor."""
    head = "    def construct(self, x):\n"
    if hit.code == "PRT314":
        yield _net(
            f"{head}        return self.f(x)\n",
            init="        self.f = functools.partial(mint.nn.functional.silu)",
        )
        yield _net(
            f"{head}        return self.f(x)\n",
            "def scaled(x, by):\n    return x * by\n\n",
            "        self.f = functools.partial(scaled, by=3)",
        )
