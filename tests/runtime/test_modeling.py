"""Test models on the runtime's base class: configuration, weights, calls and their refusals."""

# A model takes keyword arguments that it passes on or ignores.
# mypy: allow-subclassing-any

from __future__ import annotations

from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np
import pytest
from mindspore import Parameter, Tensor, nn, ops
from transformers import Blip2QFormerConfig

from porter.runtime import initialization as init
from porter.runtime.modeling import GradientCheckpointingLayer, PreTrainedModel, no_init_weights
from porter.runtime.modeling_outputs import BaseModelOutputWithPooling
from porter.runtime.outputs import NamedOutputCell, named_output

from .support import MODES, floats, prepare

X = floats(2, 3, 4)


class Layer(GradientCheckpointingLayer):
    """One layer."""

    def __init__(self, config: Blip2QFormerConfig) -> None:
        super().__init__()
        self.dense = nn.Dense(config.hidden_size, config.hidden_size)
        self.norm = nn.LayerNorm((config.hidden_size,), epsilon=config.layer_norm_eps)

    def construct(self, x: Tensor) -> Tensor:
        return self.norm(self.dense(x))


class Base(PreTrainedModel):
    """Name the configuration class, as the base class of a ported model does."""

    config: Blip2QFormerConfig
    base_model_prefix = "base"

    def _init_weights(self, module: nn.Cell) -> None:
        super()._init_weights(module)
        if isinstance(module, Model):
            init.constant_(module.query, 0.25)


class Model(Base):
    """Read the configuration, the dtype and an embedding inside the graph."""

    output_class = BaseModelOutputWithPooling

    def __init__(self, config: Blip2QFormerConfig) -> None:
        super().__init__(config)
        self.word_embeddings = nn.Embedding(7, config.hidden_size, padding_idx=3)
        self.layers = nn.CellList([Layer(config) for _ in range(config.num_hidden_layers)])
        self.query = Parameter(ops.zeros((config.hidden_size,), ms.float32))
        self.post_init()

    def construct(self, x: Tensor, pool: bool = True, **kwargs: Any) -> Any:
        x = x.astype(self.dtype) + self.query
        for layer in self.layers:
            x = layer(x)
        if self.config._attn_implementation == "eager" and self.config.hidden_act == "gelu":
            x = x * self.config.cross_attention_frequency
        return named_output(last_hidden_state=x, pooler_output=x[:, 0] if pool else None)


class Wrapper(Base):
    """Hold an inner model and read its output by name."""

    output_class = BaseModelOutputWithPooling
    output_fields = ("last_hidden_state",)

    def __init__(self, config: Blip2QFormerConfig) -> None:
        super().__init__(config)
        self.base = Model(config)
        self.post_init()

    def construct(self, x: Tensor, **kwargs: Any) -> Any:
        return {"last_hidden_state": self.base(x)["last_hidden_state"] + 1}


class Explicit(Base):
    """Take what other models leave to hooks as parameters."""

    output_class = BaseModelOutputWithPooling

    def construct(
        self, x: Tensor, output_hidden_states: bool = False, return_dict: bool | None = None
    ) -> Any:
        states = (x, x + 1) if output_hidden_states else None
        if return_dict is False:
            return x, states
        return named_output(last_hidden_state=x, hidden_states=states)


def configuration(**changes: Any) -> Blip2QFormerConfig:
    return Blip2QFormerConfig(
        hidden_size=4, num_hidden_layers=2, attn_implementation="eager", **changes
    )


def values(model: nn.Cell) -> dict[str, Any]:
    return {name: value.asnumpy() for name, value in model.parameters_and_names()}


@pytest.mark.parametrize("mode", MODES)
def test_configuration_and_dtype_are_read_inside_the_graph(mode: str) -> None:
    model = prepare(Model(configuration()), mode, [Tensor(X)])
    output = model(Tensor(X))
    assert type(output) is BaseModelOutputWithPooling
    assert output.pooler_output.shape == (2, 4)
    # A layer norm has unit variance, and the configuration's factor 2 doubles it.
    assert np.allclose(output.last_hidden_state.asnumpy().std(-1), 2.0, atol=1e-3)


@pytest.mark.parametrize("mode", MODES)
def test_inner_model_is_read_by_name(mode: str) -> None:
    model = prepare(Wrapper(configuration()), mode, [Tensor(X)])
    output = model(Tensor(X))
    assert list(output) == ["last_hidden_state"]
    inner = model.base(Tensor(X))
    found = output.last_hidden_state.asnumpy() - 1
    assert np.allclose(found, inner.last_hidden_state.asnumpy(), atol=1e-6)


@pytest.mark.parametrize("mode", ["strict", "lax", "pynative"])
def test_tuple_is_returned_on_demand(mode: str) -> None:
    model = prepare(Model(configuration()), mode, [Tensor(X)])
    assert len(model(Tensor(X), return_dict=False)) == 2
    assert len(model(Tensor(X), pool=False, return_dict=False)) == 1
    assert isinstance(model(Tensor(X), return_dict=True), BaseModelOutputWithPooling)


@pytest.mark.parametrize("mode", ["strict", "pynative"])
def test_configuration_asking_for_tuples_spares_inner_models(mode: str) -> None:
    model = prepare(Wrapper(configuration(return_dict=False)), mode, [Tensor(X)])
    output = model(Tensor(X))
    assert isinstance(output, tuple)
    assert len(output) == 1


@pytest.mark.parametrize("name", ["output_attentions", "output_hidden_states", "output_router"])
def test_recorded_outputs_are_refused(name: str) -> None:
    model = Model(configuration())
    with pytest.raises(ValueError, match=f"Model does not support {name}"):
        model(Tensor(X), **{name: True})
    assert "last_hidden_state" in model(Tensor(X), **{name: False})


def test_recorded_outputs_asked_for_by_the_configuration_are_refused() -> None:
    model = Model(configuration(output_hidden_states=True))
    with pytest.raises(ValueError, match="output_hidden_states"):
        model(Tensor(X))


@pytest.mark.parametrize("mode", ["strict", "pynative"])
def test_outputs_that_the_model_makes_itself_are_allowed(mode: str) -> None:
    model = prepare(Explicit(configuration()), mode, [Tensor(X)])
    assert len(model(Tensor(X), output_hidden_states=True).hidden_states) == 2
    assert isinstance(model(Tensor(X), True, False), tuple)


def test_training_can_be_switched_after_the_first_call() -> None:
    class Dropping(Base):
        def __init__(self) -> None:
            super().__init__(configuration())
            self.dropout = nn.Dropout(p=0.5)
            self.post_init()

        def construct(self, x: Tensor) -> Tensor:
            return self.dropout(x)

    ms.set_context(mode=ms.GRAPH_MODE, jit_syntax_level=ms.STRICT)
    model = Dropping()
    ones = ops.ones((50, 50), ms.float32)
    assert (model(ones).asnumpy() == 1).all()
    model.set_train(True)
    assert (model(ones).asnumpy() == 0).any()


def test_weights_are_initialised_as_in_transformers() -> None:
    model = Model(configuration(initializer_range=0.5))
    assert (model.query.asnumpy() == 0.25).all()
    assert (model.layers[0].norm.gamma.asnumpy() == 1).all()
    assert (model.layers[1].dense.bias.asnumpy() == 0).all()
    assert 0.2 < model.word_embeddings.embedding_table.asnumpy().std() < 0.8
    assert (model.word_embeddings.embedding_table.asnumpy()[3] == 0).all()


def test_initialisation_is_skipped_before_loading() -> None:
    with no_init_weights():
        model = Model(configuration())
    assert (model.query.asnumpy() == 0).all()
    assert (Model(configuration()).query.asnumpy() == 0.25).all()


@pytest.mark.parametrize("wrapped", [False, True])
def test_saved_weights_come_back(tmp_path: Path, wrapped: bool) -> None:
    model = Model(configuration(layer_norm_eps=0.125))
    if wrapped:
        # Another cell around the model renames its parameters, not its own names for them.
        nn.SequentialCell(model)
    model.save_pretrained(tmp_path / "saved")
    assert sorted(path.name for path in (tmp_path / "saved").iterdir()) == [
        "config.json",
        "model.safetensors",
    ]
    loaded = Model.from_pretrained(tmp_path / "saved")
    assert loaded.config.layer_norm_eps == 0.125
    wanted = values(model)
    found = values(loaded)
    assert found.keys() == wanted.keys()
    assert all((found[name] == wanted[name]).all() for name in wanted)
    by_file = Model.from_pretrained(tmp_path / "saved" / "model.safetensors", configuration())
    assert (by_file.query.asnumpy() == 0.25).all()


def test_ckpt_file_is_loaded(tmp_path: Path) -> None:
    model = Model(configuration())
    ms.save_checkpoint(model, str(tmp_path / "weights.ckpt"))
    other = Model(configuration())
    other.load_weights(tmp_path / "weights.ckpt")
    assert all((values(other)[name] == value).all() for name, value in values(model).items())


def test_every_difference_is_listed_and_nothing_is_loaded(tmp_path: Path) -> None:
    model = Model(configuration())
    before = values(model)
    wrong = {name: Tensor(value + 1) for name, value in before.items()}
    wrong["extra"] = Tensor([1.0])
    del wrong["query"]
    wrong["layers.0.dense.bias"] = Tensor([1.0, 2.0])
    wrong["layers.1.dense.bias"] = wrong["layers.1.dense.bias"].astype(ms.float16)
    data = [{"name": name, "data": value} for name, value in wrong.items()]
    ms.save_checkpoint(data, str(tmp_path / "wrong.ckpt"))
    with pytest.raises(ValueError, match="does not fit Model") as error:
        model.load_weights(tmp_path / "wrong.ckpt")
    lines = str(error.value).splitlines()
    assert len(lines) == 5
    for words in (
        "extra: not in the model",
        "layers.0.dense.bias: the model has ((4,), mindspore.float32), the file ((2,), ",
        "layers.1.dense.bias: the model has ((4,), mindspore.float32), the file ((4,), ",
        "query: not in the file",
    ):
        assert any(line.strip().startswith(words) for line in lines)
    assert all((values(model)[name] == value).all() for name, value in before.items())


def test_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"model\.safetensors"):
        Model.from_pretrained(tmp_path)


def test_counts_and_embeddings() -> None:
    model = Wrapper(configuration())
    assert model.num_parameters() == 7 * 4 + 2 * (16 + 4 + 8) + 4
    assert model.get_input_embeddings() is model.base.word_embeddings
    with pytest.raises(NotImplementedError, match="Explicit"):
        Explicit(configuration()).get_input_embeddings()


def test_dtype_follows_the_parameters() -> None:
    model = Model(configuration())
    assert model.dtype == ms.float32
    model.to(dtype=ms.float16)
    assert model.dtype == ms.float16


def test_inner_cell_is_no_model() -> None:
    assert issubclass(PreTrainedModel, NamedOutputCell)
    assert not issubclass(GradientCheckpointingLayer, NamedOutputCell)


class Tied(PreTrainedModel):
    """Tie a head to the embedding, and later heads to the first, by torch's names."""

    _tied_weights_keys = {  # noqa: RUF012 - as models declare it
        "head.weight": "words.weight",
        r"heads.(?!0)\d+": "heads.0",
        "absent.weight": "words.weight",
    }

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.words = nn.Embedding(5, 4)
        self.head = nn.Dense(4, 5, has_bias=False)
        self.heads = nn.CellList([nn.Dense(4, 4) for _ in range(3)])
        self.post_init()

    def construct(self, x: Tensor) -> Tensor:
        return self.head(self.heads[2](self.words(x)))


class Configuration:
    """Hold whether weights are tied."""

    def __init__(self, tied: bool) -> None:
        self.tie_word_embeddings = tied
        self.initializer_range = 0.5


def test_tied_weights_are_one_parameter_with_one_gradient() -> None:
    model = Tied(Configuration(True))
    assert model.head.weight is model.words.embedding_table
    assert model.heads[2].weight is model.heads[0].weight
    assert model.heads[1].bias is model.heads[0].bias
    parameters = model.trainable_params()
    assert len(parameters) == 3
    gradient = ms.grad(lambda x: model(x).sum(), None, parameters)
    found = gradient(Tensor([[1, 2]], ms.int64))[0].asnumpy()
    assert found[0].any()  # through the head, though no token 0 was looked up


def test_weights_are_tied_only_where_the_configuration_asks() -> None:
    model = Tied(Configuration(False))
    assert model.head.weight is not model.words.embedding_table
    assert len(model.trainable_params()) == 8


class Masked(PreTrainedModel):
    """Prepare masks inside the graph, as models of older releases do."""

    def __init__(self) -> None:
        super().__init__(None)
        self.dense = nn.Dense(2, 2)

    def construct(self, mask: Tensor, heads: Tensor | None = None) -> Any:
        given = self.get_head_mask(heads, 2)
        inverted = self.invert_attention_mask(mask)
        return inverted if given[0] is None else (inverted, given[1])


@pytest.mark.parametrize("mode", MODES)
def test_masks_are_prepared_as_transformers_does(mode: str) -> None:
    def run(*arrays: Any) -> Any:
        tensors = [Tensor(array) for array in arrays]
        return prepare(Masked(), mode, tensors)(*tensors)

    lowest = np.finfo(np.float32).min
    mask = np.array([[1, 1, 0], [1, 0, 0]], np.int64)
    expected = np.where(mask == 1, 0, lowest).astype(np.float32)
    np.testing.assert_array_equal(run(mask).asnumpy(), expected[:, None, None])
    cube = np.stack([mask, 1 - mask, mask])
    found, heads = run(cube, np.array([1, 0, 1], np.int64))
    assert found.shape == (3, 1, 2, 3)
    np.testing.assert_array_equal(heads.asnumpy()[0, :, 0, 0], [1.0, 0.0, 1.0])
    each = np.array([[1, 1], [0, 1]], np.float32)
    _, heads = run(mask, each)
    np.testing.assert_array_equal(heads.asnumpy()[0, :, 0, 0], [0.0, 1.0])
