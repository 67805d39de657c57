"""Keep the arguments of a constructor as the configuration of a model."""

# mypy: allow-subclassing-any

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, ItemsView, KeysView
from typing import Any, ClassVar, Self, TypeVar

import mindspore as ms

from .outputs import NamedOutputCell

Function = TypeVar("Function", bound=Callable[..., Any])


class Configuration:
    """Hold values by name, read as attributes or as items; a graph reads the attributes."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the configuration has no {name!r}")

    def __getitem__(self, name: str) -> Any:
        return self.__dict__[name]

    def __contains__(self, name: str) -> bool:
        return name in self.__dict__

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a name, or the default."""
        return self.__dict__.get(name, default)

    def keys(self) -> KeysView[str]:
        """Return the names."""
        return self.__dict__.keys()

    def items(self) -> ItemsView[str, Any]:
        """Return names and values."""
        return self.__dict__.items()


class ConfigMixin:
    """Keep the arguments of the constructor as `config`."""

    config_name: ClassVar[str | None] = None
    ignore_for_config: ClassVar[list[str]] = []
    config: Configuration

    def register_to_config(self, **values: Any) -> None:
        """Take values into the configuration."""
        kept = dict(self.__dict__.get("config", Configuration()).items())
        # Before the Cell is made, which knows no attributes yet.
        object.__setattr__(self, "config", Configuration(**{**kept, **values}))

    @classmethod
    def from_config(cls, config: Any) -> Self:
        """Build an object of what another keeps, or of a dictionary."""
        names = inspect.signature(cls.__init__).parameters
        return cls(**{name: value for name, value in config.items() if name in names})


class ModelMixin(NamedOutputCell):
    """Be the base of a model whose arguments are its configuration."""

    gradient_checkpointing: bool = False

    @property
    def dtype(self) -> ms.Type:
        """Return the dtype of the first floating-point parameter."""
        for parameter in self.get_parameters():
            if parameter.dtype in (ms.float32, ms.float16, ms.bfloat16, ms.float64):
                return parameter.dtype
        return ms.float32

    @property
    def device(self) -> str:
        """Return the name of torch's CPU: a port has one device."""
        return "cpu"


def register_to_config(init: Function) -> Function:
    """Let a constructor hand its arguments, and its defaults, to `register_to_config`."""
    parameters = list(inspect.signature(init).parameters.values())[1:]

    @functools.wraps(init)
    def configured(self: Any, *args: Any, **kwargs: Any) -> None:
        given = dict(zip([item.name for item in parameters], args, strict=False)) | kwargs
        ignored = self.ignore_for_config
        known = {item.name: item.default for item in parameters if item.default is not item.empty}
        values = {name: value for name, value in (known | given).items() if name not in ignored}
        self.register_to_config(**values)
        init(self, *args, **{k: v for k, v in kwargs.items() if not k.startswith("_")})

    return configured  # type: ignore[return-value]
