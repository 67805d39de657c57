"""Hand the hidden states that transformers records by hooks from function to function."""

from __future__ import annotations

import ast

from porter.plan.context import PlanContext
from porter.plan.edits import AddParameter, After, Before, ReplaceStatement, Value
from porter.plan.entries import refuse
from porter.source.program import without_docstring
from porter.source.recorders import (
    CAPTURING,
    FILTERING,
    REQUEST,
    SELECTING,
    Step,
    returned,
    target_of,
)
from porter.types import Applicability, Severity

STATES = "recorded_hidden_states"


def plan_recorded(context: PlanContext, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """Plan a function that records hidden states, hands them on, or asks for them."""
    recordings = context.recordings
    body = without_docstring(function)
    if not context.in_graph or not body:
        return
    step = recordings.steps.get(function)
    filtering = function in recordings.filtering
    lines: list[str] = []
    if filtering or (step is not None and step.ties is not None):
        arguments = [*function.args.args, *function.args.kwonlyargs]
        if REQUEST not in [argument.arg for argument in arguments]:
            context.edit(function, AddParameter(REQUEST))
            lines.append(f"if {REQUEST} is None:\n    {REQUEST} = self.config.{REQUEST}")
    if function in recordings.selecting and function.args.kwarg is not None:
        name, selected = function.args.kwarg.arg, recordings.selecting[function]
        ask = f'{name}["{REQUEST}"] = {selected}'
        asked = f'if not {name}.get("{REQUEST}"):\n    {ask}'
        lines.append(ask if filtering else asked)
    if step is not None and step.calls:
        lines.append(f"{STATES} = ()")
    if not lines and step is None:
        return
    context.site(function)
    context.edit(body[0], Before(tuple(lines)))
    parents = context.program.parents(function)
    for value in returned(function) if filtering else []:
        template = f"return runtime.recording.filtered({{value}}, {REQUEST})"
        edit = ReplaceStatement(context.written(template), {"value": value})
        context.edit(parents[value], edit)
    if step is None:
        return
    for call in step.calls:
        _record(context, step, call)
    if step.inner is not None:
        _take_over(context, step, step.inner)
    for value in returned(function):
        _hand_on(context, step, parents[value], value)


def plan_recording_decorator(context: PlanContext, function: ast.AST, decorator: ast.expr) -> bool:
    """Say what of the recorded outputs is carried over; returns whether that is said."""
    recordings = context.recordings
    callee = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = context.names.qualified(callee, context.here)
    if name in SELECTING and function not in recordings.selecting:
        refuse(
            context,
            decorator,
            "PRT207",
            "which hidden states are selected is not in the text",
            None,
        )
        return True
    if name in FILTERING and function in recordings.filtering:
        return True
    if name not in CAPTURING or function not in recordings.steps:
        return False
    context.find(
        decorator,
        "PRT206",
        "hidden_states are handed on; attentions, recorded by hooks, are not carried over",
        applicability=Applicability.APPLIED,
        severity=Severity.NOTE,
    )
    return True


def _record(context: PlanContext, step: Step, call: ast.Call) -> None:
    """Take in the input of the first module and the result of each, after its assignment."""
    statement = context.recordings.assigned[call]
    recorder = step.recorder
    if recorder.initial:
        started = context.written("runtime.recording.started")
        line = f"{STATES} = {started}({STATES}, {{first}})"
        context.edit(statement, Before((line,), {"first": call.args[0]}))
    target = target_of(statement)
    appended = context.written("runtime.recording.appended")
    if isinstance(target, ast.Tuple):
        state = ast.unparse(target.elts[recorder.index])
        line = f"{STATES} = (*{STATES}, {state})"
    elif isinstance(statement.value, ast.Subscript):
        line = f"{STATES} = (*{STATES}, {ast.unparse(target)})"
    else:
        line = f"{STATES} = {appended}({STATES}, {ast.unparse(target)}, {recorder.index})"
    context.edit(statement, After((line,)))


def _take_over(context: PlanContext, step: Step, call: ast.Call) -> None:
    """Take the states that an inner module recorded out of its result."""
    statement = context.recordings.assigned[call]
    name = ast.unparse(target_of(statement))
    if step.pair:
        values: dict[str, Value] = {"value": call}
        context.edit(statement, ReplaceStatement(f"{name}, {STATES} = {{value}}", values))
    else:
        context.edit(statement, After((f'{STATES} = {name}["hidden_states"]',)))


def _hand_on(context: PlanContext, step: Step, statement: ast.AST, value: ast.expr) -> None:
    """Give the states beside a function's result, or in it."""
    kind = context.inference.kind(value).name
    if step.ties is not None:
        template = (
            "return runtime.recording.with_hidden_states"
            f"({{value}}, {STATES}, {REQUEST}, {step.ties})"
        )
    elif kind == "output":
        template = f"return runtime.outputs.extended({{value}}, hidden_states={STATES})"
    else:
        template = f"return {{value}}, {STATES}"
    context.edit(statement, ReplaceStatement(context.written(template), {"value": value}))
