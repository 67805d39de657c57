"""Import every family of rules, which registers them."""

from porter.check.rules import (
    binding,
    calls,
    containers,
    flow,
    host,
    host_calls,
    lambdas,
    methods,
    numpy_calls,
    objects,
    recompiling,
    scripts,
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
    "methods",
    "numpy_calls",
    "objects",
    "recompiling",
    "scripts",
    "signatures",
    "state",
    "statements",
    "writes",
]
