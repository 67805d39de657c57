"""Generate tokens with a ported decoder: a cache of keys and values, one graph for each step.

One graph reads the prompt, another one token at a time. Each is compiled once for every shape of
its inputs. Tokens are chosen on the host.
"""

# mypy: allow-subclassing-any

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

from .caching import EncoderDecoderCache, StaticCache
from .outputs import NamedOutputCell
from .sampling import choose

_CACHES = ("cache", "past_key_values")
_ENCODER_STATES = ("encoder_hidden_states", "encoder_outputs")
_ROOM = 64


class Step(NamedOutputCell):
    """Run a model on tokens with a cache, and count them.

    `names` are the arguments of the model that construct takes, in order, the tokens first.
    """

    def __init__(
        self, model: nn.Cell, cache: nn.Cell, cache_name: str, names: tuple[str, ...]
    ) -> None:
        # With a prefix the parameters of the model would change their names.
        super().__init__(auto_prefix=False)
        self.model = model
        self.cache = cache
        self.cache_name = cache_name
        self.names = names

    def construct(self, *values: Tensor) -> Tensor:
        """Return the logits behind the last token of each row, float32 [batch, vocabulary]."""
        inputs = {self.cache_name: self.cache}
        for name, value in zip(self.names, values):  # noqa: B905
            # Models read the states of their encoder as the first of its results.
            inputs[name] = (value,) if name == "encoder_outputs" else value
        logits = self.model(**inputs)["logits"]
        self.cache.advance(values[0].shape[1])
        return logits[:, -1].astype(ms.float32)


class Generator:
    """Generate with a ported model that takes a cache, for sequences of up to `max_length` tokens.

    `model` returns logits [batch, length, vocabulary] under the name "logits"; `config` says how
    many layers and heads it has, `model.config` where it is left out. `dtype` is that of its keys
    and values. Caches and graphs are kept, for each batch size and length of an encoder's states.
    Raises ValueError for a model whose construct takes no cache.
    """

    def __init__(
        self,
        model: nn.Cell,
        max_length: int,
        *,
        dtype: ms.Type = ms.float32,
        config: Any = None,
    ) -> None:
        self.model = model
        self.max_length = max_length
        self.dtype = dtype
        self.config = model.config if config is None else config
        self._accepted = tuple(inspect.signature(model.construct).parameters)
        named = [name for name in _CACHES if name in self._accepted]
        if not named:
            raise ValueError(f"construct of {type(model).__name__} takes no cache")
        self._cache_name = named[0]
        self._prefix = "decoder_" if "decoder_input_ids" in self._accepted else ""
        self._held: dict[tuple[Any, ...], _Graphs] = {}

    @property
    def compilations(self) -> dict[str, int]:
        """How many graphs were compiled: of prompts, and of the steps behind them."""
        return {
            "prompt": sum(len(held.prompt.compile_cache) for held in self._held.values()),
            "step": sum(len(held.step.compile_cache) for held in self._held.values()),
        }

    def generate(
        self,
        input_ids: Any,
        max_new_tokens: int,
        *,
        inputs_embeds: Any = None,
        attention_mask: Any = None,
        do_sample: bool = False,
        temperature: float = 1.0,
        top_k: int | None = None,
        top_p: float | None = None,
        eos_token_id: int | Sequence[int] | None = None,
        pad_token_id: int | None = None,
        seed: int | None = None,
        **inputs: Any,
    ) -> Tensor:
        """Return `input_ids` [batch, length] with the tokens that follow, int64.

        For a model with an encoder they are what its decoder begins with. `inputs_embeds`
        [batch, length, hidden] is read in place of a prompt; `input_ids` may be None then.
        `attention_mask` is 0 where a prompt is padded on its left. Without `do_sample` the
        likeliest token is taken; with it, one is drawn by `seed` (see `sampling.probabilities`). A
        row ends at `eos_token_id`, and is filled with `pad_token_id` from there. Other `inputs` are
        arrays for the model, the same in each step, as `encoder_hidden_states` or `encoder_outputs`
        [batch, length, hidden].
        The first prompt of a decoder is run without the cache, too. Raises ValueError where tokens
        do not fit, and where the model does not take an input, does not write its keys and values
        into the cache, or gives other logits with it than without.
        """
        prompt = {} if inputs_embeds is None else {"inputs_embeds": _array(inputs_embeds)}
        if input_ids is None:
            input_ids = np.zeros((len(inputs_embeds), 0))
        tokens = _array(input_ids).astype(np.int64)
        prompt = prompt or {"input_ids": tokens}
        batch, length = next(iter(prompt.values())).shape[:2]
        if length + max_new_tokens > self.max_length:
            raise ValueError(
                f"{length} tokens and {max_new_tokens} new ones do not fit a max_length of"
                f" {self.max_length}"
            )
        mask = _padded_mask(attention_mask, batch, length, self.max_length)
        positions = np.maximum(mask.cumsum(axis=1) - 1, 0)
        given = {name: Tensor(_array(value)) for name, value in inputs.items()}
        if self._prefix and "encoder_attention_mask" in given:
            given["attention_mask"] = given.pop("encoder_attention_mask")
        ends = [] if eos_token_id is None else np.atleast_1d(eos_token_id).tolist()
        filler: Any = ends[0] if pad_token_id is None and ends else pad_token_id
        sampled = {"temperature": temperature, "top_k": top_k, "top_p": top_p}
        random = np.random.default_rng(seed) if do_sample else None
        values = self._values(prompt, mask, positions[:, :length], given)
        held = self._graphs(batch, values)
        held.reset()
        cell: Step = held.prompt
        ended = np.zeros(batch, bool)
        for last in range(length, length + max_new_tokens):
            logits = cell(*values.values()).asnumpy()
            if cell is held.prompt and not held.checked:
                held.refuse_unwritten()
                if "encoder_outputs" not in values:
                    self._refuse_other(logits, values, length)
                held.checked = True
            chosen = choose(logits, random, **sampled)
            if ends:
                chosen = np.where(ended, filler, chosen)
                ended |= np.isin(chosen, ends)
            tokens = np.concatenate((tokens, chosen[:, None]), axis=1)
            if ended.all():
                break
            cell = held.step
            current = {"input_ids": chosen[:, None]}
            values = self._values(current, mask, positions[:, last : last + 1], given)
        return Tensor(tokens)

    def _values(
        self, tokens: dict[str, Any], mask: Any, positions: Any, given: dict[str, Tensor]
    ) -> dict[str, Tensor]:
        own = {**tokens, "attention_mask": mask, "position_ids": positions}
        named = {f"{self._prefix}{name}": value for name, value in own.items()}
        unknown = given.keys() - set(self._accepted)
        if unknown:
            raise ValueError(
                f"construct of {type(self.model).__name__} takes no {', '.join(sorted(unknown))}"
            )
        return {name: Tensor(v) for name, v in named.items() if name in self._accepted} | given

    def _refuse_other(self, logits: Any, values: dict[str, Tensor], length: int) -> None:
        """Raise ValueError where the model gives other logits for a prompt without the cache.

        Code that counts positions from the end of the keys takes the room for what is held.
        """
        plain: dict[str, Any] = dict(values)
        name = f"{self._prefix}attention_mask"
        if name in plain:
            plain[name] = Tensor(plain[name].asnumpy()[:, :length])
        wanted = self.model(**plain)["logits"][:, -1].astype(ms.float32).asnumpy()
        allowed = 1e-3 if self.dtype == ms.float32 else 5e-2
        if not np.abs(logits - wanted).max() <= allowed * np.abs(wanted).max():
            raise ValueError(
                f"{type(self.model).__name__} gives other logits with a cache of a fixed size than"
                " without one: it cannot generate with it"
            )

    def _graphs(self, batch: int, values: dict[str, Tensor]) -> _Graphs:
        states = [values[name] for name in _ENCODER_STATES if name in values]
        length = int(states[0].shape[1]) if states else None
        key = (batch, length, self.model.training, *values)
        if key not in self._held:
            layers, key_heads, heads, size = _sizes(self.config)
            caches = [StaticCache(layers, batch, key_heads, self.max_length, size, self.dtype)]
            if length is not None:
                shape = (layers, batch, heads, length, size)
                caches.append(StaticCache(*shape, self.dtype, "encoder_cache"))
            self._held[key] = _Graphs(self.model, caches, self._cache_name, tuple(values))
        return self._held[key]


class _Graphs:
    """The caches of one shape, and the Cells that run a prompt and the steps behind it."""

    def __init__(
        self,
        model: nn.Cell,
        caches: list[StaticCache],
        cache_name: str,
        names: tuple[str, ...],
    ) -> None:
        self.caches = caches
        self.checked = False
        views = [
            EncoderDecoderCache(*caches, is_updated=updated) if len(caches) > 1 else caches[0]
            for updated in (False, True)
        ]
        steps = tuple(name.replace("inputs_embeds", "input_ids") for name in names)
        self.prompt, self.step = (
            Step(model, view, cache_name, read).set_train(model.training)
            for view, read in zip(views, (names, steps), strict=True)
        )

    def reset(self) -> None:
        """Forget all tokens."""
        for cache in self.caches:
            cache.reset()

    def refuse_unwritten(self) -> None:
        """Raise ValueError where a layer of the model wrote nothing into its cache."""
        for cache in self.caches:
            for index, layer in enumerate(cache.layers):
                if not layer.keys.asnumpy().any():
                    raise ValueError(
                        f"{type(self.prompt.model).__name__} wrote no keys of layer {index} into"
                        " its cache: it cannot continue from it"
                    )


class GenerationMixin:
    """Give a ported model torch's way to call: `model.generate(input_ids, max_new_tokens=32)`."""

    config: Any
    base_model_prefix: str
    token_generator: Generator | None = None

    def generate(
        self,
        input_ids: Any = None,
        *,
        max_new_tokens: int | None = None,
        max_length: int | None = None,
        **options: Any,
    ) -> Tensor:
        """Return the prompt [batch, length] with the tokens that follow, as `Generator.generate`.

        There are `max_new_tokens` of them, or as many as make `max_length` in all, at most. Where
        `eos_token_id` or `pad_token_id` is left out, the configuration's is taken. A prompt that
        holds padding is masked there. Where the model has an encoder of its own, `input_ids` is
        what that reads, and the tokens begin with `decoder_start_token_id`. The room of the cache
        is made in steps of 64 tokens, and kept: a call that needs more compiles anew. Raises
        ValueError as `Generator.generate`, and where neither number is given.
        """
        if max_new_tokens is None and max_length is None:
            raise ValueError("generate wants max_new_tokens or max_length")
        for name in ("eos_token_id", "pad_token_id"):
            options.setdefault(name, getattr(self.config, name, None))
        padding = options["pad_token_id"]
        ends = np.atleast_1d(options["eos_token_id"])
        if input_ids is not None and padding is not None and padding not in ends:
            present = _array(input_ids) != padding
            if options.get("attention_mask") is None and not present.all():
                options["attention_mask"] = present
        if getattr(self.config, "is_encoder_decoder", False):
            input_ids = self._encode(input_ids, options)
        embedded = options.get("inputs_embeds")
        length = _array(input_ids if embedded is None else embedded).shape[1]
        count = max_new_tokens if max_new_tokens is not None else (max_length or 0) - length
        generator = self.token_generator
        if generator is None or generator.max_length < length + count:
            generator = Generator(self, -(-(length + count) // _ROOM) * _ROOM)
            self.token_generator = generator
        return generator.generate(input_ids, count, **options)

    def _encode(self, input_ids: Any, options: dict[str, Any]) -> Any:
        """Add what the encoder makes to the options, and return what the decoder begins with."""
        embedded = options.pop("inputs_embeds", None)
        if embedded is None:
            read = {"input_ids": _array(input_ids).astype(np.int64)}
        else:
            read = {"inputs_embeds": _array(embedded)}
        ids = next(iter(read.values()))
        mask = options.pop("attention_mask", None)
        # Of one dtype in every call: another one would compile anew.
        mask = np.ones(ids.shape[:2]) if mask is None else _array(mask)
        read["attention_mask"] = mask = mask.astype(np.int64)
        owner = self if hasattr(self, "encoder") else getattr(self, self.base_model_prefix)
        given = {name: Tensor(value) for name, value in read.items()}
        states = owner.encoder(**given)["last_hidden_state"]
        options["encoder_outputs"] = states
        options["encoder_attention_mask"] = mask
        return np.full((len(ids), 1), self.config.decoder_start_token_id)


def _padded_mask(attention_mask: Any, batch: int, length: int, room: int) -> Any:
    mask = np.ones((batch, room), np.int64)
    if attention_mask is not None:
        mask[:, :length] = _array(attention_mask)
    if not mask[:, length - 1].all():
        raise ValueError("prompts are padded on their left: the last token of each is read")
    return mask


def _sizes(config: Any) -> tuple[int, int, int, int]:
    """Return the layers, heads of keys, heads of cross attention and head size of a decoder.

    These are the names that configurations of transformers use.
    """
    layers = _first(config, "num_decoder_layers", "decoder_layers", "num_hidden_layers")
    heads = _first(config, "decoder_attention_heads", "num_attention_heads")
    key_heads = getattr(config, "num_key_value_heads", None) or heads
    size = _first(config, "head_dim", "d_kv", default=0) or config.hidden_size // heads
    return layers, key_heads, heads, size


def _first(config: Any, *names: str, default: int | None = None) -> int:
    found = [getattr(config, name, None) for name in names]
    value = next((item for item in found if item is not None), default)
    if value is None:
        raise ValueError(f"the configuration has none of {', '.join(names)}")
    return int(value)


def _array(value: Any) -> Any:
    return value.asnumpy() if isinstance(value, Tensor) else np.asarray(value)
