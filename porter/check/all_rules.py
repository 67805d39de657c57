"""Import every family of rules, which registers them."""

from porter.check.rules import (
    binding,
    calls,
    containers,
    flow,
    host,
    host_calls,
    lambdas,
    numpy_calls,
    objects,
    recompiling,
    signatures,
    state,
    statements,
    writes,
)

__all__ = [
    "binding",
    "calls",
    "containers",
    "flow",
    "host",
    "host_calls",
    "lambdas",
    "numpy_calls",
    "objects",
    "recompiling",
    "signatures",
    "state",
    "statements",
    "writes",
]
