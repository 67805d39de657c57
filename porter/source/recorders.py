"""Find where a model's inner hidden states come from that transformers records by hooks.

A `forward` under `capture_outputs` gives, where `output_hidden_states` asks for it, what each
module of the classes in `_can_record_outputs` returned. The places are read off the text: the calls
of such modules in the forward itself, or in that of a module that it calls.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from porter.source.infer import Inference
from porter.source.program import ClassInfo, FunctionDef, FunctionInfo, Program

CAPTURING = ("transformers.utils.output_capturing.capture_outputs",)
SELECTING = ("transformers.utils.output_capturing.select_hidden_states",)
FILTERING = ("transformers.backbone_utils.filter_output_hidden_states",)
RECORDER = "transformers.utils.output_capturing.OutputRecorder"
REQUEST = "output_hidden_states"
_DEPTH = 3


@dataclass(frozen=True, slots=True)
class Recorder:
    """Whose results are recorded, which part of each, and whether the first input is, too."""

    classes: tuple[str, ...]
    index: int = 0
    initial: bool = True

    def records(self, program: Program, qualified: str) -> bool:
        """Tell whether modules of a class are recorded."""
        return any(name in self.classes for name in program.ancestry(qualified))


@dataclass(frozen=True, slots=True)
class Step:
    """What one function contributes.

    Attributes:
        calls: the calls of recorded modules, each the value of an assignment (`assigned`), or none.
        inner: the call of a module that hands its recorded states on; with `calls`, None.
        pair: whether `inner` gives (result, states), for its result is no structured one.
        ties: of the capturing function: whether the last state is the result's. None elsewhere.
    """

    recorder: Recorder
    calls: tuple[ast.Call, ...] = ()
    inner: ast.Call | None = None
    pair: bool = False
    ties: bool | None = None


@dataclass(slots=True)
class Recordings:
    """The steps by function, and the assignment of each call that they name.

    `selecting` holds what is asked for by the decorators of functions, `True` or a parameter that
    says which, and `filtering` the functions whose decorator takes hidden states out of the result
    again where the caller did not ask for them.
    """

    steps: dict[ast.AST, Step] = field(default_factory=dict)
    assigned: dict[ast.Call, ast.Assign | ast.AnnAssign] = field(default_factory=dict)
    selecting: dict[ast.AST, str] = field(default_factory=dict)
    filtering: set[ast.AST] = field(default_factory=set)


def find_recordings(
    program: Program, inference: Inference, reached: frozenset[str] | None
) -> Recordings:
    """Return the places to record at, where something in the program asks for hidden states.

    A model whose places are not all understood is left out.
    """
    found = Recordings()
    infos = [info for name, info in program.classes.items() if reached is None or name in reached]
    methods = [
        FunctionInfo(f"{info.qualified}.{name}", node, info.names, info)
        for info in infos
        for name, node in info.methods.items()
    ]
    for method in methods:
        decorators = _decorators(program, method)
        if method.node.args.kwarg is not None and method.node.args.vararg is None:
            for name, decorator in zip(decorators, method.node.decorator_list, strict=True):
                selected = selected_by(name, decorator)
                if selected is not None:
                    found.selecting[method.node] = selected
                if name in FILTERING:
                    found.filtering.add(method.node)
    asking = (method for method in methods if REQUEST in method.names.module.text)
    if not found.selecting and not any(_asks(program.below(item.node)) for item in asking):
        return found
    for info in infos:
        finder = _Finder(program, inference, found)
        steps = finder.model(info)
        agree = all(found.steps.get(node, step) == step for node, step in steps.items())
        if steps and agree:
            found.steps |= steps
            found.assigned |= finder.assigned
    return found


def selected_by(name: str, decorator: ast.expr) -> str | None:
    """Return what a decorator asks inner models for: `True`, or a parameter of its function.

    None for another decorator, and for one that works the positions out itself.
    """
    if name in FILTERING:
        return "True"
    match decorator:
        case ast.Call(args=[ast.Constant(value=str(parameter))]) if name in SELECTING:
            return parameter
    return None


def _asks(nodes: Iterable[ast.AST]) -> bool:
    """Tell whether one of the nodes of a function asks for hidden states by a literal."""
    for node in nodes:
        match node:
            case ast.keyword(arg="output_hidden_states", value=ast.Constant(value=wanted)):
                if wanted not in (False, None):
                    return True
            case ast.Assign(
                targets=[ast.Subscript(slice=ast.Constant(value="output_hidden_states"))]
            ):
                return True
    return False


def _decorators(program: Program, function: FunctionInfo) -> list[str]:
    names = [program.names_decorator(item, function) for item in function.node.decorator_list]
    return [name or "" for name in names]


class _Finder:
    """Follow one capturing forward to the calls of the modules that are recorded."""

    def __init__(self, program: Program, inference: Inference, known: Recordings) -> None:
        self.program = program
        self.inference = inference
        self.known = known
        self.assigned: dict[ast.Call, ast.Assign | ast.AnnAssign] = {}

    def model(self, info: ClassInfo) -> dict[ast.AST, Step]:
        """Return the steps of a model by function; none where it records nothing that is known."""
        node = info.methods.get("forward")
        if node is None:
            return {}
        forward = FunctionInfo(f"{info.qualified}.forward", node, info.names, info)
        ties = self._ties(forward)
        recorder = self._recorder(info) if ties is not None else None
        if recorder is None or node.args.kwarg is None or node.args.vararg is not None:
            return {}
        steps = self._steps(forward, recorder, _DEPTH)
        if not steps or not all(self._kind(value) == "output" for value in returned(node)):
            return {}
        step = steps[node]
        steps[node] = Step(step.recorder, step.calls, step.inner, step.pair, ties)
        return steps

    def _ties(self, forward: FunctionInfo) -> bool | None:
        names = _decorators(self.program, forward)
        for name, decorator in zip(names, forward.node.decorator_list, strict=True):
            if name in CAPTURING:
                keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
                return not any(ast.unparse(item.value) == "False" for item in keywords)
        return None

    def _recorder(self, info: ClassInfo) -> Recorder | None:
        for ancestor in self.program.ancestry(info.qualified):
            owner = self.program.classes.get(ancestor)
            for statement in owner.node.body if owner else []:
                target = statement.targets[0] if isinstance(statement, ast.Assign) else None
                if isinstance(statement, ast.AnnAssign):
                    target = statement.target
                if isinstance(target, ast.Name) and target.id == "_can_record_outputs":
                    assert owner is not None
                    assert isinstance(statement, ast.Assign | ast.AnnAssign)
                    return self._specified(owner, statement.value)
        return None

    def _specified(self, owner: ClassInfo, value: ast.expr | None) -> Recorder | None:
        """Read what `_can_record_outputs` says of hidden states."""
        if not isinstance(value, ast.Dict):
            return None
        for key, item in zip(value.keys, value.values, strict=True):
            if not (isinstance(key, ast.Constant) and key.value == "hidden_states"):
                continue
            options: dict[str, object] = {}
            if isinstance(item, ast.Call):
                if self._name(owner, item.func) != RECORDER or len(item.args) > 1:
                    return None
                given = {part.arg: part.value for part in item.keywords}
                target = item.args[0] if item.args else given.pop("target_class", None)
                given.pop("num_hidden_layers_key", None)
                if target is None or not given.keys() <= {"index", "capture_initial_hidden_state"}:
                    return None
                if not all(isinstance(part, ast.Constant) for part in given.values()):
                    return None
                options = {str(k): ast.literal_eval(part) for k, part in given.items()}
                item = target
            listed = item.elts if isinstance(item, ast.List | ast.Tuple) else [item]
            names = [self._name(owner, part) for part in listed]
            classes = tuple(name for name in names if name in self.program.classes)
            index = options.get("index", 0)
            initial = options.get("capture_initial_hidden_state", True)
            assert isinstance(index, int)
            return Recorder(classes, index, bool(initial)) if classes else None
        return None

    def _name(self, owner: ClassInfo, node: ast.expr) -> str:
        name = self.program.reference(node, owner.names.top, owner.names) or ""
        return self.program.aliases.get(name, name)

    def _steps(self, function: FunctionInfo, recorder: Recorder, depth: int) -> dict[ast.AST, Step]:
        """Return the steps from a function downwards, none where they are not understood."""
        calls = list(self._modules(function.node))
        direct = tuple(
            call
            for call, classes in calls
            if any(recorder.records(self.program, name) for name in classes)
        )
        if direct:
            # A hook sees the arguments by position alone.
            if not all(call.args and self._assign(function.node, call) for call in direct):
                return {}
            return {function.node: Step(recorder, direct)}
        if depth == 0:
            return {}
        found: list[tuple[ast.Call, FunctionInfo, dict[ast.AST, Step]]] = []
        for call, classes in calls:
            forward = self.program.find_method(classes[0], "forward")
            if forward is None or any(n in CAPTURING for n in _decorators(self.program, forward)):
                continue
            inner = self._steps(forward, recorder, depth - 1)
            if inner and len(classes) > 1:
                return {}
            if inner:
                found.append((call, forward, inner))
        if len(found) != 1:
            return {}
        [(call, forward, steps)] = found
        kinds = {self._kind(value) for value in returned(forward.node)}
        if kinds not in ({"output"}, {"tensor"}) or not self._assign(function.node, call):
            return {}
        pair = kinds == {"tensor"}
        target = target_of(self.assigned[call])
        if not isinstance(target, ast.Name) or self.assigned[call].value is not call:
            return {}
        if pair and not self._only_call(forward, call):
            return {}
        return {**steps, function.node: Step(recorder, inner=call, pair=pair)}

    def _kind(self, node: ast.AST) -> str:
        return self.inference.kind(node).name

    def _modules(self, function: ast.AST) -> Iterator[tuple[ast.Call, list[str]]]:
        """Give the calls of modules below a function, and the classes that each may be of."""
        for node in self.program.below(function):
            if isinstance(node, ast.Call):
                kind = self.inference.kind(node.func)
                if kind.name == "module":
                    every = [kind, *(kind.items or ())]
                    classes = [item.cls for item in every if item.cls in self.program.classes]
                    names = [name for name in classes if name is not None]
                    if names:
                        yield node, names

    def _assign(self, function: FunctionDef, call: ast.Call) -> bool:
        """Note the assignment whose value a call is, or an item of it; tell whether it is one."""
        parents = self.program.parents(function)
        statement = parents[call]
        if isinstance(statement, ast.Subscript) and statement.value is call:
            statement = parents[statement]
        if not isinstance(statement, ast.Assign | ast.AnnAssign):
            return False
        if isinstance(statement, ast.Assign) and len(statement.targets) != 1:
            return False
        self.assigned[call] = statement
        return True

    def _only_call(self, forward: FunctionInfo, wanted: ast.Call) -> bool:
        """Tell whether nothing else calls the class whose result gets another form."""
        assert forward.owner is not None
        for info in self.program.classes.values():
            for method in info.methods.values():
                for call, classes in self._modules(method):
                    same = any(
                        self.program.find_method(name, "forward") == forward for name in classes
                    )
                    if same and call is not wanted:
                        return False
        return True


def target_of(statement: ast.Assign | ast.AnnAssign) -> ast.expr:
    """Return the only target of an assignment."""
    return statement.targets[0] if isinstance(statement, ast.Assign) else statement.target


def returned(function: FunctionDef) -> list[ast.expr]:
    """Return what a function's own return statements give."""
    found: list[ast.expr] = []
    queue: list[ast.AST] = list(function.body)
    while queue:
        node = queue.pop()
        if isinstance(node, ast.Return) and node.value is not None:
            found.append(node.value)
        elif not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            queue.extend(ast.iter_child_nodes(node))
    return found
