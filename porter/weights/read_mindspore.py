"""Read a MindSpore checkpoint, .ckpt or .safetensors, as named tensors."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from porter.types import PorterError, Position
from porter.weights.dtypes import Array
from porter.weights.names import read_tensor
from porter.weights.read_safetensors import SafetensorsFile
from porter.weights.tensor import Checkpoint, TensorInfo


class CkptFile:
    """The tensors of a .ckpt file; MindSpore reads it whole, so all are in memory."""

    def __init__(self, path: Path) -> None:
        """Load `path`; raises PorterError (PRT507) where MindSpore cannot."""
        import mindspore

        position = Position(str(path))
        try:
            self._loaded: dict[str, Any] = mindspore.load_checkpoint(str(path))
        except Exception as error:  # MindSpore raises many kinds, all meaning the same
            reason = " ".join(str(error).split())
            message = f"unreadable checkpoint: mindspore.load_checkpoint failed: {reason}"
            raise PorterError("PRT507", message, position=position) from error
        tensors = {}
        for name, value in self._loaded.items():
            if not isinstance(value, mindspore.Tensor):
                message = f"unreadable checkpoint: {name!r} is no tensor"
                raise PorterError("PRT507", message, position=position)
            bits, dtype = read_tensor(value)
            tensors[name] = TensorInfo(name, bits.shape, dtype)
        self.tensors: Mapping[str, TensorInfo] = MappingProxyType(tensors)

    def read(self, name: str) -> Array:
        """Return one tensor, bfloat16 as uint16 bits; raises KeyError."""
        return read_tensor(self._loaded[name])[0]

    def close(self) -> None:
        """Let go of the tensors."""
        self._loaded = {}


def open_mindspore_file(path: Path) -> Checkpoint:
    """Open a file that MindSpore, or porter, wrote; raises PorterError (PRT507)."""
    if path.suffix == ".safetensors":
        return SafetensorsFile(path)
    if path.suffix == ".ckpt":
        return CkptFile(path)
    raise PorterError(
        "PRT507",
        "unreadable checkpoint: the name must end in .ckpt or .safetensors",
        position=Position(str(path)),
    )
