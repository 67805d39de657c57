"""Compare named outputs with transformers' classes, and the naming of results in every mode."""

# mypy: allow-subclassing-any

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import mindspore as ms
import numpy as np
import pytest
import transformers.modeling_outputs as reference
from mindspore import Tensor, nn

from porter.runtime import modeling_outputs
from porter.runtime.modeling_outputs import BaseModelOutputWithPooling
from porter.runtime.outputs import ModelOutput, NamedOutputCell, named_output

from .support import MODES, prepare

X = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))


class Pair(NamedTuple):
    """A named tuple as a model's source defines it."""

    first: Any
    second: Any
    third: Any = None


@dataclass
class Record:
    """A dataclass as a model's source defines it."""

    first: Any
    second: Any
    third: Any = None


@dataclass
class Both(ModelOutput):
    """An output that holds another one."""

    loss: Any = None
    inner: BaseModelOutputWithPooling | None = None
    states: tuple[Any, ...] | None = None


def reference_classes() -> dict[str, list[str]]:
    classes = {
        name: cls
        for name, cls in vars(reference).items()
        if isinstance(cls, type) and issubclass(cls, reference.ModelOutput)
    }
    return {
        name: [field.name for field in dataclasses.fields(cls)]
        for name, cls in classes.items()
        if dataclasses.is_dataclass(cls)
    }


def test_classes_and_fields_are_those_of_transformers() -> None:
    ours = {
        name: [field.name for field in dataclasses.fields(cls)]
        for name, cls in vars(modeling_outputs).items()
        if isinstance(cls, type) and cls.__module__ == modeling_outputs.__name__
    }
    assert ours.pop("MultimodalModelOutput") == []
    assert ours == reference_classes()
    assert len(ours) > 40


def twins(**given: Any) -> list[Any]:
    return [
        modeling_outputs.CausalLMOutputWithPast(**given),
        reference.CausalLMOutputWithPast(**given),
    ]


@pytest.mark.parametrize(
    "read",
    [
        lambda output: output.logits,
        lambda output: output.hidden_states,
        lambda output: output["logits"],
        lambda output: output[0],
        lambda output: output[1],
        lambda output: output[-1],
        lambda output: output[:2],
        lambda output: output.to_tuple(),
        lambda output: list(output.items()),
        lambda output: list(output),
        lambda output: len(output),
        lambda output: output.get("attentions"),
        lambda output: output.get("attentions", 3),
        lambda output: "hidden_states" in output,
        lambda output: output["past_key_values"],
        lambda output: output.past_key_values,
        lambda output: list(copy.copy(output).items()),
        lambda output: list(pickle.loads(pickle.dumps(output)).items()),  # noqa: S301
        lambda output: isinstance(output, dict),
    ],
)
def test_reading_is_as_in_transformers(read: Any) -> None:
    ours, theirs = twins(logits="a", cache="b")
    assert read(ours) == read(theirs)


@pytest.mark.parametrize(
    "break_it",
    [
        lambda output: output["hidden_states"],
        lambda output: output[2],
        lambda output: output.nothing,
        lambda output: output.pop("logits"),
        lambda output: output.update({"loss": 1}),
        lambda output: output.setdefault("loss", 1),
        lambda output: output.__delitem__("logits"),
    ],
)
def test_what_transformers_refuses_is_refused(break_it: Any) -> None:
    for output in twins(logits="a", cache="b"):
        with pytest.raises(Exception):  # noqa: B017, PT011  (transformers raises Exception itself)
            break_it(output)


def test_setting_keeps_items_and_attributes_together() -> None:
    ours, theirs = twins(logits="a")
    for output in (ours, theirs):
        output.loss = "b"
        output["attentions"] = "c"
    assert list(ours.items()) == list(theirs.items())
    assert (ours.loss, ours.attentions) == ("b", "c")
    ours.loss = None
    assert ours.loss is None
    assert "loss" not in ours


@pytest.mark.parametrize("first", [{"loss": "a", "logits": "b"}, [("loss", "a"), ("logits", "b")]])
def test_mapping_in_place_of_the_first_field_is_spread(first: Any) -> None:
    ours = modeling_outputs.CausalLMOutput(first)
    theirs = reference.CausalLMOutput(first)
    assert list(ours.items()) == list(theirs.items())


def test_generic_output_takes_any_name() -> None:
    output = ModelOutput(a=1, b=2)
    assert (output.a, output["b"], output[1], output.to_tuple()) == (1, 2, 2, (1, 2))


def test_fields_are_inherited_before_own_ones() -> None:
    class Wider(modeling_outputs.CausalLMOutput):
        extra: Any = None

    names = [field.name for field in dataclasses.fields(Wider)]  # type: ignore[arg-type]
    assert names == ["loss", "logits", "hidden_states", "attentions", "extra"]


class Literal(NamedOutputCell):
    """Return all fields as a literal dict."""

    output_class = modeling_outputs.BaseModelOutputWithPooling
    output_fields = ("last_hidden_state", "pooler_output")

    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(3, 3, weight_init="ones")

    def construct(self, x: Tensor) -> Any:
        y = self.dense(x)
        return {"last_hidden_state": y, "pooler_output": y[:, 0]}


class Single(NamedOutputCell):
    """Return one field."""

    output_class = modeling_outputs.BaseModelOutput
    output_fields = ("last_hidden_state",)

    def construct(self, x: Tensor) -> Any:
        return {"last_hidden_state": x + 1}


class Optional(NamedOutputCell):
    """Return those fields that are there."""

    output_class = modeling_outputs.BaseModelOutputWithPooling

    def __init__(self, pool: bool) -> None:
        super().__init__()
        self.pool = pool

    def construct(self, x: Tensor) -> Any:
        pooled = x[:, 0] if self.pool else None
        return named_output(last_hidden_state=x + 1, pooler_output=pooled, attentions=(x, x + 2))


class Nested(NamedOutputCell):
    """Return the output of an inner cell within its own."""

    output_class = Both

    def __init__(self, inner: nn.Cell) -> None:
        super().__init__()
        self.inner = inner

    def construct(self, x: Tensor) -> Any:
        inner = self.inner(x)
        absent = inner.get("hidden_states")
        loss = inner["last_hidden_state"].sum()
        return named_output(loss=loss, inner=inner, states=absent)


class AsRecord(NamedOutputCell):
    """Return an output of a class that is no ModelOutput."""

    output_class: ClassVar[type[Any] | None] = Record

    def construct(self, x: Tensor) -> Any:
        return named_output(first=x, second=x + 1)


class AsPair(AsRecord):
    """Return a named tuple."""

    output_class = Pair


class Either(NamedOutputCell):
    """Return a tuple where the caller asks for one."""

    output_class = modeling_outputs.BaseModelOutputWithPooling
    output_fields = ("last_hidden_state", "pooler_output")

    def construct(self, x: Tensor, return_dict: bool = True) -> Any:
        if not return_dict:
            return x, x + 1
        return {"last_hidden_state": x, "pooler_output": x + 1}


def run(cell: nn.Cell, mode: str, *options: Any) -> Any:
    return prepare(cell, mode, [X, *options])(X, *options)


def equal(found: Tensor, wanted: Tensor) -> bool:
    return bool((found.asnumpy() == wanted.asnumpy()).all()) and found.shape == wanted.shape


@pytest.mark.parametrize("mode", MODES)
def test_literal_dict_is_named(mode: str) -> None:
    output = run(Literal(), mode)
    assert type(output) is modeling_outputs.BaseModelOutputWithPooling
    assert list(output) == ["last_hidden_state", "pooler_output"]
    assert output.last_hidden_state.shape == (2, 3)
    assert output.pooler_output.shape == (2,)
    assert output.attentions is None


@pytest.mark.parametrize("mode", MODES)
def test_single_field_is_named(mode: str) -> None:
    output = run(Single(), mode)
    assert type(output) is modeling_outputs.BaseModelOutput
    assert equal(output.last_hidden_state, X + 1)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("pool", [True, False])
def test_absent_fields_are_none(mode: str, pool: bool) -> None:
    output = run(Optional(pool), mode)
    assert ("pooler_output" in output) is pool
    assert (output.pooler_output is None) is not pool
    assert equal(output.last_hidden_state, X + 1)
    assert isinstance(output.attentions, tuple)
    assert equal(output.attentions[1], X + 2)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("inner", [Literal, lambda: Optional(True)])
def test_inner_output_is_named_by_the_annotation(mode: str, inner: Any) -> None:
    output = run(Nested(inner()), mode)
    assert type(output) is Both
    assert list(output) == ["loss", "inner"]
    assert type(output.inner) is modeling_outputs.BaseModelOutputWithPooling
    assert output.inner.pooler_output.shape == (2,)
    assert output.loss.shape == ()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("cell", "output_class"), [(AsRecord, Record), (AsPair, Pair)])
def test_users_own_class_is_kept_and_read_by_name(
    mode: str, cell: type[nn.Cell], output_class: type[Any]
) -> None:
    output = run(cell(), mode)
    assert isinstance(output, output_class)
    assert equal(output.first, X)
    assert equal(output["second"], X + 1)
    assert equal(output[1], X + 1)
    assert output.third is None
    assert output.get("third") is None
    assert equal(pickle.loads(pickle.dumps(output)).second, X + 1)  # noqa: S301


@pytest.mark.parametrize("mode", MODES)
def test_result_asked_for_as_a_tuple_stays_one(mode: str) -> None:
    output = run(Either(), mode, False)
    assert isinstance(output, tuple)
    assert equal(output[1], X + 1)


@pytest.mark.parametrize("mode", MODES)
def test_gradient_passes_through_inner_outputs(mode: str) -> None:
    class Loss(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.model = Nested(Literal())

        def construct(self, x: Tensor) -> Tensor:
            return self.model(x)["loss"]

    cell = prepare(Loss(), mode, [X])
    assert np.allclose(ms.grad(cell)(X).asnumpy(), np.full((2, 3), 3.0))


class Caching(NamedOutputCell):
    """Give a cache that is a plain tuple of tuples."""

    output_class = modeling_outputs.CausalLMOutputWithCrossAttentions

    def construct(self, x: Tensor) -> Any:
        return named_output(logits=x, past_key_values=((x + 1, x * 2), (x, x - 1)))


@pytest.mark.parametrize("mode", MODES)
def test_a_plain_cache_is_given_back_under_both_names(mode: str) -> None:
    result = prepare(Caching(), mode, [X])(X)
    assert result.past_key_values is result.cache
    np.testing.assert_array_equal(result.past_key_values[0][1].asnumpy(), X.asnumpy() * 2)
    np.testing.assert_array_equal(result[1][1][1].asnumpy(), X.asnumpy() - 1)


def test_wrong_number_of_values_is_an_error() -> None:
    class Wrong(Literal):
        output_fields = ("last_hidden_state",)  # type: ignore[assignment]

    with pytest.raises(RuntimeError, match="2 values for the fields"):
        run(Wrong(), "strict")
