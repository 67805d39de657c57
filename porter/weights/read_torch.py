"""Read a torch checkpoint (.pt, .pth, .bin) without running anything that it holds."""

from __future__ import annotations

import pickle
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

from porter.types import PorterError, Position
from porter.weights.dtypes import DTYPES, Array
from porter.weights.tensor import TensorInfo

if TYPE_CHECKING:
    import torch

ZIP_MAGIC = b"PK\x03\x04"
WRAPPERS = ("state_dict", "model")
# What torch's own unpickler says when it meets anything but tensors and plain containers.
_UNSAFE = re.compile(
    r"Unsupported global|unsupported GLOBAL|Unsupported class|unrecognized function"
    r"|Can only (build|create)|must be imported to load|Trying to instantiate"
)
_GLOBAL = re.compile(r"GLOBAL (\S+)")


class TorchStateDict:
    """The tensors of a torch state dict that is in memory, or mapped into it."""

    def __init__(self, state: Mapping[str, torch.Tensor], origin: str = "state dict") -> None:
        """Take `state`; raises PorterError (PRT507) for a tensor that no MindSpore file holds."""
        self.origin = origin
        self._state = dict(state)
        self.tensors: Mapping[str, TensorInfo] = MappingProxyType(
            {name: self._describe(name, tensor) for name, tensor in self._state.items()}
        )

    def read(self, name: str) -> Array:
        """Return one tensor, C-contiguous, bfloat16 as uint16 bits; raises KeyError."""
        import torch

        tensor = self._state[name].detach().resolve_neg().contiguous()
        if tensor.dtype is torch.bfloat16:
            tensor = tensor.view(torch.int16)
        value: Array = tensor.numpy()
        return value.view(self.tensors[name].dtype.storage)

    def close(self) -> None:
        """Let go of the tensors, and with them of a mapped file."""
        self._state = {}

    def _describe(self, name: Any, tensor: Any) -> TensorInfo:
        import torch

        if not isinstance(name, str):
            self._fail(f"a key of the state dict is {type(name).__name__}, not a name")
        if not isinstance(tensor, torch.Tensor):
            self._fail(f"{name!r} is {type(tensor).__name__}, not a tensor")
        if tensor.layout is not torch.strided or tensor.is_quantized or tensor.is_meta:
            self._fail(f"tensor {name!r} is sparse, quantized or without data")
        dtype = DTYPES.get(str(tensor.dtype).removeprefix("torch."))
        if dtype is None:
            self._fail(f"tensor {name!r} has dtype {tensor.dtype}, which MindSpore cannot load")
        return TensorInfo(name, tuple(tensor.shape), dtype)

    def _fail(self, reason: str) -> NoReturn:
        raise _unreadable(reason, Position(self.origin))


def open_torch_file(path: Path) -> TorchStateDict:
    """Open a file of torch.save: a state dict, or one below `state_dict` or `model`.

    Raises PorterError: PRT508 where the pickle asks for more than tensors and plain containers,
    PRT507 where the file cannot be read.
    """
    import torch

    position = Position(str(path))
    try:
        with path.open("rb") as file:
            mapped = file.read(len(ZIP_MAGIC)) == ZIP_MAGIC
        loaded = torch.load(path, map_location="cpu", weights_only=True, mmap=mapped)
    except OSError as error:
        raise _unreadable(error.strerror or str(error), position) from error
    except pickle.UnpicklingError as error:
        raise _refusal(error, position) from error
    except Exception as error:  # a damaged pickle makes torch raise almost anything
        reason = f"torch.load failed with {type(error).__name__}: {_first_sentence(error)}"
        raise _unreadable(reason, position) from error
    return TorchStateDict(_find_state_dict(loaded, position), str(path))


def _refusal(error: Exception, position: Position) -> PorterError:
    text = str(error)
    if _UNSAFE.search(text) is None:
        return _unreadable("its pickle is damaged, or no file of torch.save", position)
    named = _GLOBAL.search(text)
    what = f"asks for {named[1]}" if named else "holds more than tensors and plain containers"
    return PorterError(
        "PRT508",
        f"unsafe checkpoint: its pickle {what}; nothing of it was run",
        hint="save the model's state_dict() instead, best as .safetensors",
        position=position,
    )


def _find_state_dict(loaded: Any, position: Position) -> Mapping[str, torch.Tensor]:
    """Return the state dict of what torch.load gave; never choose between two."""
    if isinstance(loaded, Mapping):
        nested = [key for key in WRAPPERS if isinstance(loaded.get(key), Mapping)]
        if len(nested) > 1:
            raise PorterError(
                "PRT507",
                f"ambiguous checkpoint: it holds a state dict as {' and as '.join(nested)}",
                hint="save the one you mean",
                position=position,
            )
        found: Mapping[str, torch.Tensor] = loaded[nested[0]] if nested else loaded
        return found
    raise _unreadable(f"it holds {type(loaded).__name__}, not a state dict", position)


def _unreadable(reason: str, position: Position) -> PorterError:
    return PorterError("PRT507", f"unreadable checkpoint: {reason}", position=position)


def _first_sentence(error: Exception) -> str:
    return " ".join(str(error).split()).partition(". ")[0][:160]
