"""Plan one module: walk its definitions once and ask each topic for its edits."""

from __future__ import annotations

import ast

from porter.plan.annotations import plan_annotation
from porter.plan.autograd import plan_apply, plan_apply_call, plan_function_class
from porter.plan.branches import (
    plan_absent,
    plan_conditional,
    plan_if,
    plan_isinstance,
    plan_try,
)
from porter.plan.calls import plan_call, plan_call_statement, plan_presence
from porter.plan.classes import plan_base, plan_class, plan_function
from porter.plan.closures import plan_closures
from porter.plan.context import PlanContext
from porter.plan.dict_items import plan_dict_item, plan_inner_module
from porter.plan.differentiating import (
    is_differentiated,
    plan_differentiation,
    report_updates,
)
from porter.plan.edits import Replace
from porter.plan.hoisting import plan_assignment_expressions, plan_mapped_lambda
from porter.plan.inplace import plan_update, rebound
from porter.plan.leaves import plan_gradient, plan_leaf
from porter.plan.left_out import plan_left_out
from porter.plan.loading import plan_loading
from porter.plan.nans import statements_about_nan
from porter.plan.nonzero_loops import plan_nonzero_loop, refuse_nonzero_loop
from porter.plan.operators import (
    plan_exclusive_or,
    plan_invert,
    plan_product,
    plan_ranges,
    plan_shift,
    plan_type_test,
    plan_union,
)
from porter.plan.outputs import (
    plan_field_assignment,
    plan_open_subscript,
    plan_output_subscript,
    plan_return_dict,
)
from porter.plan.own_names import plan_own_name
from porter.plan.partials import plan_kept_partial, plan_partial
from porter.plan.rates import plan_rate, plan_rate_assignment
from porter.plan.recorded import plan_recorded
from porter.plan.references import plan_attribute, plan_reference
from porter.plan.sharing import Memory
from porter.plan.signatures import plan_signature
from porter.plan.statements import (
    drop_unread_assignments,
    plan_augmented,
    plan_data_assignment,
    plan_import,
    plan_parameter_assignment,
    plan_refused,
    plan_with,
)
from porter.plan.stopped import plan_stopped, stops_gradients
from porter.plan.texts import plan_shown, plan_text
from porter.plan.training import plan_training
from porter.plan.unbound import plan_unbound
from porter.source.names import Scope, dotted
from porter.source.narrowing import type_test


class ModulePlanner:
    """Walk a module in source order, with the scope and the graph context of each node."""

    def __init__(self, context: PlanContext) -> None:
        self.context = context
        self.memory = Memory(context.program)

    def run(self) -> None:
        """Plan every definition of the module that the port emits."""
        context = self.context
        context.scope = context.names.top
        for node in context.names.star_imports:
            context.find(node, "PRT002", "a star import hides what the names of this module mean")
        tree = context.names.module.tree
        context.sharing, context.updating = self.memory.calls(
            tree, context.names, context.names.top, None
        )
        plan_differentiation(context)
        about_nan = statements_about_nan(context)
        for statement in tree.body:
            context.about_nan = statement in about_nan
            self.visit(statement)
        drop_unread_assignments(context, tree)
        report_updates(context)

    def visit(self, node: ast.AST) -> None:
        """Plan a node and what is below it, unless it vanishes."""
        context = self.context
        if node in context.vanished:
            return
        match node:
            case ast.Import() | ast.ImportFrom():
                plan_import(context, node)
            case ast.ClassDef():
                self.class_definition(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.function(node)
            case ast.Call() | ast.Compare() if plan_presence(context, node):
                pass
            case ast.Compare() if (asked := type_test(node)) and plan_type_test(context, node):
                self.visit(asked[0])
            case ast.Call() if context.in_graph and plan_mapped_lambda(context, node):
                self.scoped(node.args[0], context.names.scopes[node.args[0]])
                self.visit(node.args[1])
            case ast.Call() if context.in_graph and plan_signature(context, node):
                self.children(node)
            case ast.Call():
                plan_refused(context, node)
                plan_shown(context, node)
                plan_text(context, node)
                self.call(node)
            case ast.JoinedStr():
                self.children(node)
                plan_text(context, node)
            case ast.Raise() | ast.Assert():
                plan_refused(context, node)
                plan_shown(context, node)
                self.children(node)
            case ast.Attribute() | ast.Name():
                self.reference(node)
            case ast.Subscript():
                kind = context.inference.kind(node.value)
                if kind.name == "output" and context.in_graph:
                    plan_output_subscript(context, node, kind)
                elif context.in_graph:
                    plan_open_subscript(context, node)
                plan_rate(context, node)
                plan_ranges(context, node)
                self.children(node)
            case ast.AnnAssign():
                plan_refused(context, node)
                plan_annotation(context, node.annotation)
                self.visit(node.target)
                if node.value is not None:
                    self.visit(node.value)
            case ast.With():
                plan_with(context, node)
                self.children(node)
                if is_differentiated(context, node) and any(
                    stops_gradients(context, item.context_expr) for item in node.items
                ):
                    plan_stopped(context, node.body)
            case ast.For():
                refuse_nonzero_loop(context, node)
                self.children(node)
            case ast.If():
                plan_if(context, node)
                self.children(node)
            case ast.Assign():
                if plan_partial(context, node):
                    return
                if (vector := plan_nonzero_loop(context, node)) is not None:
                    self.visit(vector)
                    return
                plan_refused(context, node)
                plan_kept_partial(context, node)
                plan_dict_item(context, node)
                plan_inner_module(context, node)
                plan_parameter_assignment(context, node)
                plan_data_assignment(context, node)
                plan_field_assignment(context, node)
                plan_rate_assignment(context, node)
                targets = [item.id for item in node.targets if isinstance(item, ast.Name)]
                context.rebinds[node.value] = frozenset(targets)
                self.children(node)
            case ast.BinOp(op=ast.BitXor()):
                plan_exclusive_or(context, node)
                self.children(node)
            case ast.BinOp(op=ast.BitOr()):
                plan_union(context, node)
                self.children(node)
            case ast.BinOp(op=ast.LShift() | ast.RShift()):
                plan_shift(context, node)
                self.children(node)
            case ast.BinOp(op=ast.Mult()):
                plan_product(context, node)
                self.children(node)
            case ast.UnaryOp(op=ast.Invert()):
                plan_invert(context, node)
                self.children(node)
            case ast.AugAssign():
                plan_refused(context, node)
                if not plan_rate_assignment(context, node):
                    plan_augmented(context, node)
                self.children(node)
            case ast.Expr():
                if isinstance(node.value, ast.Call):
                    context.statement_of[node.value] = node
                    self.visit(node.value)
                    plan_call_statement(context, node)
                else:
                    self.children(node)
            case ast.IfExp():
                plan_conditional(context, node)
                self.children(node)
            case ast.Try() if (handler := plan_absent(context, node)) is not None:
                for statement in handler.body:
                    self.visit(statement)
            case ast.Try():
                for statement in node.body:
                    self.visit(statement)
                if plan_try(context, node):
                    return
                for part in (*node.handlers, *node.orelse, *node.finalbody):
                    self.visit(part)
            case ast.Lambda():
                self.scoped(node, context.names.scopes[node])
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                plan_refused(context, node)
                self.scoped(node, context.names.scopes[node])
            case _:
                plan_refused(context, node)
                self.children(node)

    def children(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            self.visit(child)

    def scoped(self, node: ast.AST, scope: Scope) -> None:
        outer, self.context.scope = self.context.scope, scope
        self.children(node)
        self.context.scope = outer

    def class_definition(self, node: ast.ClassDef) -> None:
        context = self.context
        for base in node.bases:
            if not plan_base(context, base):
                self.visit(base)
        plan_class(context, node)
        if context.program.is_autograd(f"{context.names.module.name}.{node.name}"):
            plan_function_class(context, node)
        outer, context.owner = context.owner, f"{context.names.module.name}.{node.name}"
        scope, context.scope = context.scope, context.names.scopes[node]
        for decorator in node.decorator_list:
            self.visit(decorator)
        for statement in node.body:
            self.visit(statement)
        context.scope, context.owner = scope, outer

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        context = self.context
        if plan_left_out(context, node):
            return
        in_graph, context.in_graph = context.in_graph, context.in_graph or node in context.graph
        plan_function(
            context, node, context.owner if isinstance(context.here.node, ast.ClassDef) else None
        )
        for decorator in node.decorator_list:
            self.visit(decorator)
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        for argument in (*every, arguments.vararg, arguments.kwarg):
            if argument is not None and argument.annotation is not None:
                plan_annotation(context, argument.annotation)
        if node.returns is not None:
            plan_annotation(context, node.returns)
        for default in (*arguments.defaults, *arguments.kw_defaults):
            if default is not None:
                self.visit(default)
        parameters, outer = context.parameters, context.function
        memory = context.sharing, context.updating
        context.parameters = frozenset(argument.arg for argument in every)
        context.function = node
        scope, context.scope = context.scope, context.names.scopes[node]
        context.sharing, context.updating = self.memory.calls(
            node, context.names, context.scope, context.owner
        )
        plan_loading(context, node)
        plan_return_dict(context, node)
        plan_recorded(context, node)
        plan_assignment_expressions(context, node)
        plan_closures(context, node)
        for statement in node.body:
            self.visit(statement)
            # From here on the name is the function's own: its caller holds another tensor.
            context.parameters -= rebound(statement, context.sharing)
        stopped = any(stops_gradients(context, item) for item in node.decorator_list)
        if stopped and is_differentiated(context, node):
            plan_stopped(context, node.body)
        plan_unbound(context, node)
        drop_unread_assignments(context, node)
        context.scope, context.in_graph = scope, in_graph
        context.parameters, context.function = parameters, outer
        context.sharing, context.updating = memory

    def call(self, node: ast.Call) -> None:
        context = self.context
        if isinstance(node.func, ast.Name) and node.func.id == "isinstance" and len(node.args) == 2:
            context.tested.update(ast.walk(node.args[1]))
            plan_isinstance(context, node)
        handled = plan_apply_call(context, node) or plan_call(context, node)
        plan_leaf(context, node)
        plan_training(context, node)
        if node in context.updating and node.args:
            plan_update(context, node, node.args[0], ast.unparse(node.func))
        replaced = any(isinstance(edit, Replace) for edit in context.edits.get(node, []))
        if isinstance(node.func, ast.Attribute):
            if dotted(node.func) is None or not handled:
                self.visit(node.func.value if handled else node.func)
            elif context.names.qualified(node.func, context.here) is None:
                self.visit(node.func.value)
        elif not (handled and (replaced or context.names.qualified(node.func, context.here))):
            self.visit(node.func)
        for argument in node.args:
            self.visit(argument)
        for keyword in node.keywords:
            self.visit(keyword.value)

    def reference(self, node: ast.Attribute | ast.Name) -> None:
        context = self.context
        if isinstance(node, ast.Attribute) and plan_gradient(context, node):
            self.visit(node.value)
            return
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            plan_own_name(context, node)
        if isinstance(node.ctx, ast.Load) and plan_reference(context, node):
            return
        if isinstance(node, ast.Attribute) and plan_apply(context, node):
            return
        if isinstance(node, ast.Attribute):
            plan_attribute(context, node)
            self.visit(node.value)
