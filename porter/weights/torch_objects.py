"""Give the calls in a torch pickle their meaning: tensors by place and layout, never by running."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from porter.weights.dtypes import DTYPES, Dtype
from porter.weights.location import Location, fail
from porter.weights.pickles import DamagedPickleError, Name
from porter.weights.tensor import Located, Strided, TensorInfo, count_items


class UnsafeNameError(Exception):
    """The pickle asks for a name that is neither a tensor nor a plain container."""


@dataclass(frozen=True, slots=True)
class Storage:
    """The bytes that tensors are views of. `dtype` is None where they have none of their own."""

    key: str
    dtype: Dtype | None
    items: int

    @property
    def size(self) -> int:
        """Bytes."""
        return self.items * (self.dtype.storage.itemsize if self.dtype else 1)


WHOLE = Strided(0, ())


@dataclass(frozen=True, slots=True)
class PickledTensor:
    """A tensor as the pickle describes it. `problem` says why it cannot be read, if so."""

    storage: Storage | None = None
    dtype: Dtype | None = None
    shape: tuple[int, ...] = ()
    strided: Strided = WHOLE
    problem: str = ""


STORAGES = {
    "DoubleStorage": "float64",
    "FloatStorage": "float32",
    "HalfStorage": "float16",
    "BFloat16Storage": "bfloat16",
    "LongStorage": "int64",
    "IntStorage": "int32",
    "ShortStorage": "int16",
    "CharStorage": "int8",
    "ByteStorage": "uint8",
    "BoolStorage": "bool",
    "ComplexFloatStorage": "complex64",
    "ComplexDoubleStorage": "complex128",
}
_NO_VALUES = (
    "_rebuild_sparse_tensor",
    "_rebuild_sparse_csr_tensor",
    "_rebuild_qtensor",
    "_rebuild_meta_tensor_no_storage",
    "_rebuild_nested_tensor",
    "_rebuild_device_tensor_from_numpy",
    "_rebuild_device_tensor_from_cpu_tensor",
    "_rebuild_wrapper_subclass",
)


_WRAPPERS = ("torch._tensor._rebuild_from_type_v2", "torch.Size", "torch.nn.parameter.Buffer")


@dataclass(slots=True)
class Meaning:
    """What calls and references of one pickle stand for; collects the storages on the way."""

    storages: list[Storage] = field(default_factory=list)
    _known: dict[str, Storage] = field(default_factory=dict)

    def call(self, name: Name, arguments: tuple[Any, ...]) -> Any:
        """Return a container or a PickledTensor; raises UnsafeNameError for any other name."""
        full = str(name)
        if full == "collections.OrderedDict":
            return _dictionary(arguments)
        if name.module == "torch._utils":
            return self._tensor(name, arguments)
        if full in (
            "torch._tensor._rebuild_from_type_v2",
            "torch.Size",
            "torch.nn.parameter.Buffer",
        ):
            return self._wrapped(full, arguments)
        if full in ("torch.device", "torch.serialization._get_layout"):
            return None
        if full == "_codecs.encode":  # what protocol 2 makes of bytes
            return b""
        if full in ("collections.defaultdict", "collections.Counter", "__builtin__.set"):
            return {}
        raise UnsafeNameError(full)

    def storage(self, reference: Any) -> Storage:
        """Return the storage of a persistent reference; raises UnsafeNameError for another one."""
        if not isinstance(reference, tuple) or len(reference) < 5 or reference[0] != "storage":
            kind = reference[0] if isinstance(reference, tuple) and reference else "an object"
            raise UnsafeNameError(f"{kind!s:.40} outside of the file")
        _, kind, key, _place, items, *view = reference
        if view and view[0] is not None:
            raise DamagedPickleError("a storage is a view of another one")
        if not isinstance(kind, Name) or not _is_size(items):
            raise DamagedPickleError("a storage is not described")
        name = STORAGES.get(kind.name)
        if kind.name != "UntypedStorage" and name is None:
            raise DamagedPickleError(f"a storage is a {kind}")
        found = Storage(str(key), DTYPES[name] if name else None, items)
        known = self._known.setdefault(found.key, found)
        if known is found:
            self.storages.append(found)
        if known != found:
            raise DamagedPickleError(f"it describes the storage {found.key!r:.80} in two ways")
        return known

    def _wrapped(self, full: str, arguments: tuple[Any, ...]) -> Any:
        if full == "torch.Size":
            return arguments[0]
        if full == "torch.nn.parameter.Buffer":
            return _is_tensor(arguments[0])
        function, _kind, inner, *_ = arguments
        if not isinstance(function, Name) or not isinstance(inner, tuple):
            raise DamagedPickleError("a tensor is not described")
        return self.call(function, inner)

    def _tensor(self, name: Name, arguments: tuple[Any, ...]) -> Any:
        if name.name in ("_rebuild_parameter", "_rebuild_parameter_with_state"):
            return _is_tensor(arguments[0])
        if name.name in _NO_VALUES:
            return PickledTensor(problem="is sparse, quantized or without data")
        if name.name not in ("_rebuild_tensor", "_rebuild_tensor_v2", "_rebuild_tensor_v3"):
            raise UnsafeNameError(str(name))
        storage, offset, shape, strides, *others = arguments
        if not isinstance(storage, Storage) or not _is_size(offset):
            raise DamagedPickleError("a tensor has no storage")
        if not _are_sizes(shape) or not _are_sizes(strides) or len(shape) != len(strides):
            raise DamagedPickleError("a tensor has no shape")
        dtype = storage.dtype
        if name.name == "_rebuild_tensor_v3":
            if len(others) < 3 or not isinstance(others[2], Name):
                raise DamagedPickleError("a tensor has no dtype")
            dtype = DTYPES.get(others[2].name)
            if dtype is None:
                return PickledTensor(
                    problem=f"has dtype {others[2]!s:.60}, which MindSpore cannot load"
                )
        if dtype is None:
            raise DamagedPickleError("a tensor has no dtype")
        lazy = next((item for item in others[2:] if isinstance(item, dict)), {})
        strided = Strided(offset, strides, lazy.get("neg") is True, lazy.get("conj") is True)
        return PickledTensor(storage, dtype, shape, strided)


def locate_tensors(
    location: Location, state: Mapping[Any, Any], places: Mapping[str, tuple[int, int]]
) -> dict[str, Located]:
    """Return where each tensor of a state dict lies in the file.

    Raises PorterError (PRT507) for an entry that is no tensor, and for one outside of its storage.
    """
    located = {}
    for name, tensor in state.items():
        if not isinstance(name, str):
            fail(location, f"a key of the state dict is {type(name).__name__}, not a name")
        if not isinstance(tensor, PickledTensor):
            fail(location, f"{name!r:.200} is {type(tensor).__name__}, not a tensor")
        if tensor.problem or tensor.storage is None or tensor.dtype is None:
            fail(location, f"tensor {name!r:.200} {tensor.problem}")
        located[name] = _locate(location, name, tensor, tensor.dtype, *places[tensor.storage.key])
    return located


def _locate(
    location: Location, name: str, tensor: PickledTensor, dtype: Dtype, begin: int, size: int
) -> Located:
    width = dtype.storage.itemsize
    info = TensorInfo(name, tensor.shape, dtype)
    strided = tensor.strided
    if len(tensor.shape) > 32:
        fail(location, f"tensor {name!r:.200} has {len(tensor.shape)} axes")
    if not info.size:
        return Located(info, ())
    pairs = zip(tensor.shape, strided.strides, strict=True)
    last = strided.offset + sum((items - 1) * stride for items, stride in pairs)
    if (last + 1) * width > size or (tensor.storage and tensor.storage.size > size):
        fail(location, f"tensor {name!r:.200} reaches past the end of its storage")
    lazy = strided.negative or strided.conjugate
    if not lazy and _is_contiguous(tensor.shape, strided.strides):
        return Located(info, ((begin + strided.offset * width, info.size),))
    # An expanded tensor may be far larger than its storage, and than the file.
    if info.size > max(size * 64, 1 << 30):
        fail(location, f"tensor {name!r:.200} is far larger than its storage")
    return Located(replace(info, direct=False), ((begin, size),), strided)


def _is_contiguous(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    expected = count_items(shape)
    for size, stride in zip(shape, strides, strict=True):
        expected //= size
        if size != 1 and stride != expected:
            return False
    return True


def _dictionary(arguments: tuple[Any, ...]) -> dict[Any, Any]:
    """Return the dict of OrderedDict() or OrderedDict(pairs)."""
    if not arguments:
        return {}
    found: dict[Any, Any] = {}
    for key, value in arguments[0]:
        if not isinstance(key, str):
            raise DamagedPickleError(f"a key is {type(key).__name__}")
        found[key] = value
    return found


def _is_tensor(value: Any) -> PickledTensor:
    if not isinstance(value, PickledTensor):
        raise DamagedPickleError(f"{type(value).__name__} stands where a tensor must")
    return value


def _is_size(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 62


def _are_sizes(value: Any) -> bool:
    return isinstance(value, tuple) and all(_is_size(item) for item in value)
