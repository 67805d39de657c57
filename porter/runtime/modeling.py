"""Give ported models what they use of PreTrainedModel: configuration, weights, results."""

# mypy: allow-subclassing-any

from __future__ import annotations

import contextlib
import inspect
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any, ClassVar, Self

import mindspore as ms
from mindspore import Parameter, Tensor, mint, nn, ops

from . import initialization as init
from . import masking
from .outputs import NamedOutputCell

WEIGHTS_NAME = "model.safetensors"

_initialize: ContextVar[bool] = ContextVar("initialize", default=True)
_TORCH_NAMES = {"embedding_table": "weight", "gamma": "weight", "beta": "bias"}
_OLD_CACHE_NAMES = ("past_key_values", "cache_params")
_inside_call: ContextVar[bool] = ContextVar("inside_call", default=False)


@contextlib.contextmanager
def no_init_weights() -> Iterator[None]:
    """Skip `_init_weights` for the models built inside, whose weights are loaded afterwards."""
    token = _initialize.set(False)
    try:
        yield
    finally:
        _initialize.reset(token)


class GradientCheckpointingLayer(nn.Cell):
    """Stand for transformers' layer of this name; nothing is recomputed."""


class PreTrainedModel(NamedOutputCell):
    """Hold a configuration, initialise, load and save weights, and return named outputs.

    A fresh model is in evaluation mode: a cell whose first call is made before any `set_train`
    keeps that call's graph for both modes. Call `set_train(True)` to train.
    """

    base_model_prefix = ""
    _tied_weights_keys: ClassVar[Mapping[str, str] | None] = None

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.config = config

    def post_init(self) -> None:
        """Initialise the weights, unless they are about to be loaded, and set evaluation mode."""
        if _initialize.get():
            self.init_weights()
        self.tie_weights()
        self.set_train(False)

    def tie_weights(self) -> None:
        """Make one parameter of those that the class ties, where the configuration asks for it.

        `_tied_weights_keys` maps a name, or a regular expression, of a tensor or of a module that
        holds tensors to the name of the source; all names are torch's.
        """
        tied = self._tied_weights_keys or {}
        if not tied or not getattr(self.config, "tie_word_embeddings", False):
            return
        held = {}
        for path, cell in self.cells_and_names():
            for attribute in cell._params:
                name = _TORCH_NAMES.get(attribute, attribute)
                held[f"{path}.{name}" if path else name] = cell, attribute
        for pattern, source in tied.items():
            for name, (cell, attribute) in held.items():
                match = re.match(rf"(?:{pattern})(?=\.|$)", name)
                origin = held.get(f"{source}{name[match.end() :]}") if match else None
                if origin is not None and getattr(cell, attribute) is not None:
                    setattr(cell, attribute, getattr(*origin))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the model; with `return_dict=False` the result is a tuple.

        Raises ValueError where the caller or the configuration asks for outputs such as
        attentions, which transformers records by hooks and this port does not.
        """
        parameters = inspect.signature(self.construct).parameters
        for name in _OLD_CACHE_NAMES:
            if name in kwargs and name not in parameters and "cache" in parameters:
                kwargs.setdefault("cache", kwargs.pop(name))
        self._refuse_recorded_outputs(kwargs, parameters)
        if "return_dict" in parameters:
            return super().__call__(*args, **kwargs)
        return_dict = kwargs.pop("return_dict", None)
        if return_dict is None:
            return_dict = _inside_call.get() or getattr(self.config, "return_dict", True)
        token = _inside_call.set(True)
        try:
            output = super().__call__(*args, **kwargs)
        finally:
            _inside_call.reset(token)
        return output if return_dict or not hasattr(output, "to_tuple") else output.to_tuple()

    def _refuse_recorded_outputs(self, kwargs: dict[str, Any], parameters: Any) -> None:
        recorded = {"output_attentions", "output_hidden_states"}
        recorded |= {f"output_{name}" for name in getattr(self, "_can_record_outputs", None) or ()}
        recorded |= {name for name in kwargs if name.startswith("output_")}
        for name in sorted(recorded - parameters.keys()):
            if kwargs.pop(name, None) or getattr(self.config, name, False):
                raise ValueError(
                    f"{type(self).__name__} does not support {name}: transformers records these "
                    "outputs by hooks, which the graph does not have"
                )

    def warn_if_padding_and_no_attention_mask(self, input_ids: Any, attention_mask: Any) -> None:
        """Say nothing where transformers warns: a graph does not read its values."""

    def init_weights(self) -> None:
        """Initialise the weights of all cells but inner models, which did so themselves."""
        self._initialize_cells(self)

    def _initialize_cells(self, cell: nn.Cell) -> None:
        for child in cell.cells():
            if not isinstance(child, PreTrainedModel):
                self._initialize_cells(child)
        self._init_weights(cell)

    def _init_weights(self, module: nn.Cell) -> None:
        weight: Any = getattr(module, "weight", None)
        bias: Any = getattr(module, "bias", None)
        if isinstance(module, (nn.Dense, mint.nn.Linear, nn.Conv1d, nn.Conv2d, nn.Conv3d)):
            init.normal_(weight, std=self._initializer_range())
            if bias is not None:
                init.zeros_(bias)
        elif isinstance(module, (nn.Embedding, mint.nn.Embedding)):
            table = module.embedding_table if isinstance(module, nn.Embedding) else weight
            init.normal_(table, std=self._initializer_range())
            if module.padding_idx is not None:
                row = ops.arange(table.shape[0]).expand_dims(1) == module.padding_idx
                init.copy_(table, ops.masked_fill(table, row, 0.0))
        elif "Norm" in type(module).__name__:
            for name in ("weight", "gamma", "moving_variance"):
                if isinstance(getattr(module, name, None), Parameter):
                    init.ones_(getattr(module, name))
            for name in ("bias", "beta", "moving_mean"):
                if isinstance(getattr(module, name, None), Parameter):
                    init.zeros_(getattr(module, name))

    def _initializer_range(self) -> float:
        for name in ("initializer_range", "init_std", "initializer_factor"):
            if getattr(self.config, name, None):
                return float(getattr(self.config, name))
        return 0.02

    @classmethod
    def _from_config(cls, config: Any) -> Self:
        return cls(config)

    from_config = _from_config

    @classmethod
    def from_pretrained(cls, path: str | os.PathLike[str], config: Any = None) -> Self:
        """Build the model and load converted weights from a folder or a .safetensors/.ckpt file.

        Without `config`, the folder's config.json is read by the configuration class of the model.
        Raises FileNotFoundError or ValueError as `load_weights`.
        """
        folder = Path(path) if Path(path).is_dir() else Path(path).parent
        file = folder / WEIGHTS_NAME if Path(path).is_dir() else Path(path)
        if not file.is_file():
            raise FileNotFoundError(f"no weights at {file}")
        if config is None:
            config = cls._configuration_class().from_pretrained(str(folder))
        with no_init_weights():
            model = cls(config)
        model.load_weights(file)
        return model

    @classmethod
    def _configuration_class(cls) -> Any:
        for base in cls.__mro__:
            annotation = inspect.get_annotations(base).get("config")
            if isinstance(annotation, str):
                annotation = getattr(sys.modules[base.__module__], annotation, None)
            if annotation is not None:
                return annotation
        raise ValueError(f"{cls.__name__} names no configuration class: pass config")

    def save_pretrained(self, folder: str | os.PathLike[str]) -> None:
        """Write the weights, and the configuration where it can write itself, into a folder."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as aside:
            written = Path(aside) / WEIGHTS_NAME
            values = [{"name": n, "data": p} for n, p in self.parameters_and_names()]
            ms.save_checkpoint(values, str(written), format="safetensors")
            written.replace(folder / WEIGHTS_NAME)
        if hasattr(self.config, "save_pretrained"):
            self.config.save_pretrained(str(folder))

    def load_weights(self, file: str | os.PathLike[str]) -> None:
        """Load a converted checkpoint whose names, shapes and dtypes are exactly this model's.

        Raises ValueError that lists every difference; then nothing is loaded.
        """
        kind = "safetensors" if Path(file).suffix == ".safetensors" else "ckpt"
        values: dict[str, Tensor] = ms.load_checkpoint(str(file), format=kind)
        # Not parameters_dict(): wrapping a model in another cell renames its parameters.
        own = dict(self.parameters_and_names())
        problems = [f"{name}: not in the model" for name in values if name not in own]
        for name, parameter in own.items():
            if name not in values:
                problems.append(f"{name}: not in the file")
                continue
            wanted = (tuple(parameter.shape), parameter.dtype)
            found = (tuple(values[name].shape), values[name].dtype)
            if wanted != found:
                problems.append(f"{name}: the model has {wanted}, the file {found}")
        if problems:
            raise ValueError(
                "\n  ".join([f"{file} does not fit {type(self).__name__}:", *problems])
            )
        for name, parameter in own.items():
            parameter.set_data(values[name])

    @property
    def dtype(self) -> ms.Type:
        """Return the dtype of the first floating-point parameter."""
        for parameter in self.get_parameters():
            if parameter.dtype in (ms.float32, ms.float16, ms.bfloat16, ms.float64):
                return parameter.dtype
        return ms.float32

    def invert_attention_mask(self, encoder_attention_mask: Tensor) -> Tensor:
        """Return an additive mask over all heads, from [batch, key] or [batch, query, key]."""
        # By its module: a graph would take the bare name for this method.
        return masking.invert_attention_mask(encoder_attention_mask, self.dtype)

    def get_head_mask(
        self, head_mask: Tensor | None, num_hidden_layers: int, is_attention_chunked: bool = False
    ) -> Any:
        """Return which heads count, [layers, batch, heads, query, key], or a None for each layer.

        From [heads], or [layers, heads].
        """
        if head_mask is None:
            return (None,) * num_hidden_layers
        if head_mask.ndim == 1:
            shape = (num_hidden_layers, head_mask.shape[0])
            head_mask = ops.broadcast_to(head_mask.expand_dims(0), shape)
        axes = (*head_mask.shape[:1], 1, *head_mask.shape[1:], 1, 1)
        head_mask = head_mask.reshape(axes).astype(self.dtype)
        return head_mask.expand_dims(-1) if is_attention_chunked else head_mask

    def num_parameters(self, only_trainable: bool = False) -> int:
        """Count the elements of all parameters, or of those that are trained."""
        parameters = self.trainable_params() if only_trainable else self.get_parameters()
        return sum(parameter.size for parameter in parameters)

    def get_input_embeddings(self) -> nn.Cell:
        """Return the token embedding. Raises NotImplementedError where none has a usual name."""
        owners = (self, getattr(self, "embeddings", None), getattr(self, "model", None))
        for owner in owners:
            for name in ("embed_tokens", "word_embeddings"):
                if owner is not None and hasattr(owner, name):
                    return getattr(owner, name)
        base = getattr(self, self.base_model_prefix, None) if self.base_model_prefix else None
        for inner in (getattr(self, "language_model", None), base):
            if isinstance(inner, PreTrainedModel):
                return inner.get_input_embeddings()
        raise NotImplementedError(f"{type(self).__name__} has no input embeddings of a usual name")
