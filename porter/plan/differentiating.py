"""Plan what a script asks of gradients: `loss.backward()`, `optimizer.step()`, `x.grad`.

The statements that compute a loss become a function, which `mindspore.value_and_grad` calls. Where
each backward has its own step of one optimizer, the gradients go from one to the other; elsewhere
they are kept at the parameters, as torch keeps them.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from porter.mapping.bind import Binding, bind
from porter.plan.context import PlanContext
from porter.plan.edits import Drop, Enclose, Replace, ReplaceStatement, Value
from porter.plan.entries import refuse
from porter.plan.leaves import created_leaves, cut_values, plan_switches
from porter.plan.pairing import Pair, pairs
from porter.plan.regions import Blocks, Region, find_region
from porter.plan.repeating import cannot_repeat
from porter.plan.trained import weights_of
from porter.plan.twice import is_right_twice
from porter.plan.unreached import report_unreached
from porter.plan.uses import Uses, collect_uses, gradient_of, switches_parameters
from porter.source.flow_walk import Walk
from porter.source.flows import LEAF
from porter.source.recorded import Recorded
from porter.types import Applicability, Severity

UNCARRIED = "PRT214"


@dataclass(slots=True)
class Differentiation:
    """What was decided for a module: which nodes are planned here, and which lie in functions."""

    recorded: Recorded
    uses: Uses
    handled: set[ast.AST] = field(default_factory=set)
    inside: set[ast.AST] = field(default_factory=set)
    created: dict[ast.Call, str] = field(default_factory=dict)
    cut: set[ast.Attribute] = field(default_factory=set)
    frozen: bool = False

    @property
    def reads(self) -> list[ast.Attribute]:
        """Return every `x.grad` that is read."""
        return self.uses.reads


def plan_differentiation(context: PlanContext) -> None:
    """Plan every backward, step and gradient of a module, before its statements are planned."""
    text = context.names.module.text
    if ".backward(" not in text and "autograd" not in text:
        return
    recorded = Recorded(context.program, context.inference, context.names)
    uses = collect_uses(context, recorded)
    if not uses.losses and not uses.derivatives:
        return
    blocks = Blocks(context.names.module.tree)
    regions = [
        find_region(recorded, blocks, anchor, loss, uses.stopping, gradient_of(call))
        for anchor, (loss, call) in uses.losses.items()
    ]
    for region in regions:
        if uses.modes and not region.problem:
            region.problem = "torch.set_grad_enabled says what is recorded; use it by `with`"
        if region.copies and not region.problem:
            region.problem = cannot_repeat(context, blocks, uses, region)
    plan = Differentiation(recorded, uses)
    plan.frozen = switches_parameters(recorded, uses)
    context.differentiation = plan
    paired = pairs(recorded, uses, blocks, regions)
    planner = _Planner(context, plan, blocks)
    for anchor in uses.derivatives:
        planner.derivative(anchor)
    for region in regions:
        planner.backward(region, None if paired is None else paired[region.anchor])
    planner.others(paired)
    plan.created = created_leaves(plan)
    plan.cut = cut_values(plan)
    plan_switches(context, plan)
    report_unreached(context, recorded, uses, regions)
    for call in groups_to_name(uses):
        written = context.written("runtime.gradients.named_apart({parameters})")
        context.edit(call.args[0], Replace(written, {"parameters": call.args[0]}))


class _Planner:
    def __init__(self, context: PlanContext, plan: Differentiation, blocks: Blocks) -> None:
        self.context = context
        self.plan = plan
        self.recorded = plan.recorded
        self.uses = plan.uses
        self.blocks = blocks
        self.names: set[str] = set(context.taken)

    def fresh(self, *candidates: str) -> str:
        """Return the first name that the module does not have."""
        numbered = (f"{candidates[-1]}_{number}" for number in range(2, 1000))
        return next(n for n in (*candidates, *numbered) if n not in self.context.taken)

    def unplanned(self, node: ast.AST, reason: str) -> None:
        refuse(self.context, node, UNCARRIED, reason, None)

    def backward(self, region: Region, pair: Pair | None) -> None:
        """Plan one `loss.backward()`."""
        _, call = self.uses.losses[region.anchor]
        self.plan.handled.add(call)
        gradient = gradient_of(call)
        if region.problem:
            self.unplanned(
                call, f"{ast.unparse(call.func)}() is not carried over: {region.problem}"
            )
            return
        for keyword in call.keywords:
            if keyword.arg == "retain_graph":
                self.context.vanished.update(ast.walk(keyword.value))
        gradients = self.fresh("gradients", "loss_gradients")
        if pair is not None:
            weights = f"{ast.unparse(pair.optimizer)}.parameters"
            self.enclose(region, gradient, weights, gradients, ())
            self.context.edit(region.anchor, Drop())
            self.pair(pair, gradients)
        else:
            name = self.fresh("weights", "trained", "trained_weights")
            weights, lines = weights_of(self.context, self.plan, region, name)
            if not weights:
                self.unplanned(call, "nothing tells which parameters it gives gradients to")
                return
            self.enclose(region, gradient, weights, gradients, lines)
            kept = f"runtime.gradients.accumulate({weights}, {gradients})"
            self.context.edit(region.anchor, ReplaceStatement(self.context.written(kept)))
        self.context.site(call)

    def pair(self, pair: Pair, gradients: str) -> None:
        """Plan what uses the gradients of one backward: clipping, and the step."""
        values: dict[str, Value] = {"optimizer": pair.optimizer}
        self.context.edit(pair.step, ReplaceStatement(f"{{optimizer}}({gradients})", values))
        self.handle(pair.step)
        for reset in pair.resets:
            self.drop(reset)
        for clip in pair.clips:
            self.clip(clip, gradients)

    def handle(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Expr):
            self.plan.handled.add(statement.value)
            self.context.site(statement.value)

    def drop(self, statement: ast.stmt) -> None:
        self.context.edit(statement, Drop())
        self.context.site(statement)
        self.context.vanished.update(ast.walk(statement))

    def clip(self, statement: ast.stmt, gradients: str) -> None:
        call = self.uses.clips[statement]
        entry = self.context.program.mapping.find(
            self.context.names.qualified(call.func, self.context.names.scopes[self.unit(statement)])
            or ""
        )
        signature = entry.overloads[0].signature if entry is not None else None
        bound = bind(signature, call) if signature is not None else None
        if not isinstance(bound, Binding):
            self.unplanned(call, "the arguments of the clipping do not bind")
            return
        values = {name: value for name, value in bound.values.items() if name != "parameters"}
        self.context.vanished.update(ast.walk(bound.values["parameters"]))
        values = {k: v for k, v in values.items() if k in ("max_norm", "norm_type", "clip_value")}
        given = "".join(f", {{{name}}}" for name in values)
        if "clip_value" in values:
            written = f"{gradients} = runtime.gradients.clipped_by_value({gradients}{given})"
        else:
            norm = ast.unparse(statement.targets[0]) if isinstance(statement, ast.Assign) else "_"
            written = f"{gradients}, {norm} = runtime.gradients.clipped_by_norm({gradients}{given})"
        self.context.edit(statement, ReplaceStatement(self.context.written(written), dict(values)))
        self.plan.handled.add(call)
        self.context.vanished.update(ast.walk(call.func))
        self.context.site(call)

    def unit(self, statement: ast.stmt) -> ast.AST:
        return self.recorded.unit_of[statement]

    def enclose(
        self,
        region: Region,
        gradient: ast.expr | None,
        weights: str,
        gradients: str,
        lines: tuple[str, ...],
    ) -> None:
        """Make a function of the statements of a region, and call it for its gradients."""
        loss = region.loss.id if isinstance(region.loss, ast.Name) else ""
        outputs = list(region.outputs)
        values: dict[str, Value] = {"loss": region.loss}
        result = "{loss}"
        if gradient is not None:
            values["gradient"] = gradient
            result = "({loss} * {gradient}).sum()"
            outputs = [loss, *outputs] if loss else outputs
            loss = ""
        name = self.fresh(f"forward_{loss or _last_name(region.loss) or 'loss'}")
        arguments = ", ".join(region.arguments)
        header = f"def {name}({arguments}):"
        returned = ", ".join([result, *outputs])
        first = loss or "_"
        target = f"({first}, {', '.join(outputs)})" if outputs else first
        auxiliary = ", has_aux=True" if outputs else ""
        call = f"ms.value_and_grad({name}, None, {weights}{auxiliary})({arguments})"
        after = (*lines, self.context.written(f"{target}, {gradients} = {call}"))
        first_statement = region.statements[0] if region.statements else None
        last = region.statements[-1] if region.statements else None
        self.context.edit(
            region.anchor,
            Enclose(
                region.place,
                first_statement,
                last,
                header,
                f"return {returned}",
                after,
                values,
                tuple(region.copies),
            ),
        )
        self.plan.inside |= region.parts

    def derivative(self, anchor: ast.stmt) -> None:
        """Plan `torch.autograd.grad(outputs, inputs)` in a statement of its own."""
        call = self.uses.derivatives[anchor]
        self.plan.handled.add(call)
        names = ("outputs", "inputs", "grad_outputs", "retain_graph", "create_graph")
        given = dict(zip(names, call.args, strict=False))
        given |= {item.arg: item.value for item in call.keywords if item.arg}
        simple = (
            isinstance(anchor, ast.Assign | ast.Expr) and "outputs" in given and "inputs" in given
        )
        loss = given.get("outputs")
        if not simple or loss is None or isinstance(loss, ast.Tuple | ast.List):
            self.unplanned(
                call, "torch.autograd.grad is carried over in an assignment, of one output"
            )
            return
        region = find_region(self.recorded, self.blocks, anchor, loss, self.uses.stopping)
        inputs = given["inputs"]
        items = inputs.elts if isinstance(inputs, ast.Tuple | ast.List) else [inputs]
        walk = Walk(self.recorded, region.unit, dict(self.recorded.before.get(region.start, {})))
        if region.copies and not region.problem:
            region.problem = cannot_repeat(self.context, self.blocks, self.uses, region)
        if not region.problem and not all(walk.flow(item) == LEAF for item in items):
            region.problem = "it is asked for gradients of what is no leaf"
        again = given.get("create_graph")
        once = again is None or (isinstance(again, ast.Constant) and again.value is False)
        if not once and not is_right_twice(self.context, self.recorded, region):
            region.problem = "MindSpore does not differentiate this twice as torch does"
        if region.problem:
            self.unplanned(call, f"torch.autograd.grad is not carried over: {region.problem}")
            return
        if region.place is not anchor:
            self.unplanned(
                call, "torch.autograd.grad is not carried over: it depends on a condition"
            )
            return
        gradients = self.fresh("gradients", "loss_gradients")
        tensors = all(self.context.inference.kind(item).name == "tensor" for item in items)
        inside = ", ".join(_owner_text(item) for item in items)
        weights = f"[{inside}]" if tensors else f"runtime.gradients.trainable({inside})"
        gradient = given.get("grad_outputs")
        if isinstance(gradient, ast.Constant):
            gradient = None
        self.enclose(region, gradient, self.context.written(weights), gradients, ())
        self.context.edit(call, Replace(gradients))
        for value in given.values():
            if value is not loss and value is not gradient:
                self.context.vanished.update(ast.walk(value))
        self.context.vanished.update(ast.walk(call.func))
        self.context.site(call)

    def others(self, paired: dict[ast.stmt, Pair] | None) -> None:
        """Plan steps, resets and scalers that no single backward has, and report what is left."""
        for statement, optimizer in self.uses.steps.items():
            if paired is None:
                written = self.context.written("runtime.gradients.step({optimizer})")
                self.context.edit(statement, ReplaceStatement(written, {"optimizer": optimizer}))
                self.handle(statement)
        for statement, call in self.uses.resets.items():
            if paired is None and isinstance(call.func, ast.Attribute):
                self.reset(statement, call, call.func.value)
        for statement, call in self.uses.scalers.items():
            self.drop(statement)
            if isinstance(statement, ast.Assign):
                message = "the scaler of losses is left out: a port computes in float32"
                applied, note = Applicability.APPLIED, Severity.NOTE
                self.context.find(call, "PRT201", message, applicability=applied, severity=note)
        for node, reason in self.uses.unplanned:
            self.plan.handled.add(node)
            self.unplanned(node, reason)
        for function in self.called_functions():
            self.plan.inside.update(ast.walk(function))

    def reset(self, statement: ast.stmt, call: ast.Call, owner: ast.expr) -> None:
        off = [*call.args, *(keyword.value for keyword in call.keywords)]
        zeros = bool(off) and isinstance(off[0], ast.Constant) and off[0].value is False
        self.plan.handled.add(call)
        for item in off:
            self.context.vanished.update(ast.walk(item))
        flag = ", set_to_none=False" if zeros else ""
        written = self.context.written(f"runtime.gradients.zero_grad({{owner}}{flag})")
        self.context.edit(statement, ReplaceStatement(written, {"owner": owner}))
        self.context.site(call)

    def called_functions(self) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        """Return the functions that a differentiated function may call."""
        found: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
        queue = list(self.plan.inside)
        while queue:
            node = queue.pop()
            name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
            for function in self.recorded.functions.get(name, ()):
                if function not in found:
                    found.append(function)
                    queue += list(ast.walk(function))
        return found


def _owner_text(node: ast.expr) -> str:
    """Return the text of what has the parameters that an expression gives."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="parameters"), args=[], keywords=[]):
            return ast.unparse(owner)
    return ast.unparse(node)


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) and node.attr.isidentifier() else ""


def groups_to_name(uses: Uses) -> list[ast.Call]:
    """Return the optimizers that may be made for parameters of the same name, of several cells."""
    found = []
    for calls in uses.creations.values():
        for call in calls:
            match call.args:
                case [ast.Call(func=ast.Attribute(attr="parameters"), args=[]), *_]:
                    continue
                case [ast.List(elts=[ast.Name()]) | ast.Call(func=ast.Name("filter")), *_]:
                    continue
                case [_, *_]:
                    found.append(call)
    return found


def is_differentiated(context: PlanContext, node: ast.AST) -> bool:
    """Tell whether gradients may pass a node: in a graph, or in a function that was made here."""
    plan = context.differentiation
    return context.in_graph or (plan is not None and node in plan.inside)


def report_updates(context: PlanContext) -> None:
    """Report updates in place that gradients do not pass, where torch records them."""
    plan = context.differentiation
    if plan is None:
        return
    updating = {context.runtime_name("inplace", name) for name in ("update", "write_out")}
    for node in plan.inside:
        for edit in context.edits.get(node, ()):
            template = getattr(edit, "template", "")
            if any(f"{name}(" in template for name in updating) and _is_recorded(context, node):
                message = "gradients do not pass what is updated in place; assign the result"
                refuse(context, node, UNCARRIED, message, None)


def _is_recorded(context: PlanContext, node: ast.AST) -> bool:
    """Tell whether what an update takes, or what it updates, has gradients."""
    plan = context.differentiation
    assert plan is not None
    for statement, unit in plan.recorded.unit_of.items():
        if node in ast.walk(statement) and not isinstance(statement, ast.For | ast.If | ast.With):
            walk = Walk(plan.recorded, unit, dict(plan.recorded.before[statement]))
            parts = [part for part in ast.walk(node) if isinstance(part, ast.expr)]
            return any(walk.flow(part) for part in parts)
    return True
