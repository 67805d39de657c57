"""Register every diagnostic code with its name, severity, applicability and first version."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import resources

from porter.types import Applicability, PorterError, Severity


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of diagnostic. `name` states the pattern that was found, never the cure.

    A finding may carry another severity or applicability than its code's where the place
    decides: these are what it has when nothing else is known.
    """

    code: str
    name: str
    severity: Severity
    applicability: Applicability
    since: str = "0.1"


def _register(*codes: Code) -> dict[str, Code]:
    table: dict[str, Code] = {}
    for code in codes:
        if code.code in table:
            raise ValueError(
                f"{code.code} is registered as {table[code.code].name} and {code.name}"
            )
        table[code.code] = code
    return table


def _error(code: str, name: str) -> Code:
    return Code(code, name, Severity.ERROR, Applicability.MANUAL)


def _warning(code: str, name: str) -> Code:
    return Code(code, name, Severity.WARNING, Applicability.MANUAL)


def _note(code: str, name: str) -> Code:
    return Code(code, name, Severity.NOTE, Applicability.MANUAL)


def _review(code: str, name: str, severity: Severity = Severity.WARNING) -> Code:
    return Code(code, name, severity, Applicability.REVIEW)


def _applied(code: str, name: str) -> Code:
    return Code(code, name, Severity.NOTE, Applicability.APPLIED)


CODES: dict[str, Code] = _register(
    # 0xx: reading and resolving
    _error("PRT001", "syntax-error"),
    _error("PRT002", "star-import"),
    _error("PRT003", "dynamic-attribute"),
    Code("PRT004", "unknown-receiver", Severity.WARNING, Applicability.MANUAL),
    _error("PRT005", "source-not-found"),
    _error("PRT006", "class-not-found"),
    # 1xx: mapping
    _error("PRT101", "unmapped-call"),
    _error("PRT102", "unsupported-api"),
    _error("PRT103", "unsupported-argument"),
    _error("PRT104", "starred-arguments"),
    _error("PRT105", "unsupported-value"),
    _error("PRT107", "arguments-do-not-bind"),
    _error("PRT108", "ambiguous-overload"),
    _error("PRT109", "base-class-differs"),
    _error("PRT110", "unsupported-autograd-function"),
    # 2xx: meaning may differ
    _review("PRT201", "default-differs"),
    _review("PRT203", "in-place-rewritten"),
    _applied("PRT204", "random-stream"),
    _review("PRT206", "recorded-outputs-dropped"),
    _error("PRT207", "decorator-dropped"),
    _review("PRT208", "cache-left-out"),
    _review("PRT209", "gradient-not-stopped"),
    _review("PRT210", "loading-left-out"),
    _review("PRT211", "text-differs"),
    _applied("PRT212", "device-read"),
    _review("PRT213", "nan-differs"),
    _error("PRT214", "gradient-not-carried-over"),
    _review("PRT215", "weights-without-gradient"),
    _review("PRT216", "method-left-out"),
    # 3xx: graph safety
    _error("PRT301", "host-data-in-tensor"),
    _error("PRT302", "numpy-in-construct"),
    _error("PRT303", "random-numbers-drawn-once"),
    _error("PRT304", "host-value"),
    _error("PRT305", "unsupported-statement"),
    _error("PRT306", "state-changed-in-construct"),
    _error("PRT307", "unsupported-signature"),
    _error("PRT308", "lambda-in-construct"),
    _error("PRT309", "parameter-made-in-construct"),
    _error("PRT310", "argument-changed"),
    _error("PRT311", "write-through-alias"),
    _error("PRT312", "decorator-not-compiled"),
    _error("PRT313", "parameter-bound-twice"),
    _warning("PRT314", "partial-on-cell"),
    _error("PRT315", "object-built-in-construct"),
    _error("PRT316", "dict-method"),
    _error("PRT317", "cell-indexed"),
    _error("PRT318", "name-bound-after-closure"),
    _error("PRT319", "lambda-lost"),
    _error("PRT320", "transpose-of-two-axes"),
    _error("PRT321", "expand-to-sizes"),
    _error("PRT322", "reduction-by-position"),
    _error("PRT323", "argmax-without-axis"),
    _error("PRT324", "in-place-method"),
    _error("PRT325", "full-without-dtype"),
    _warning("PRT326", "keep-probability-by-position"),
    _error("PRT327", "size-called"),
    _error("PRT330", "branches-of-different-dtype"),
    _error("PRT331", "name-bound-in-one-branch"),
    _error("PRT332", "range-of-tensor"),
    _warning("PRT333", "iterated-tensor"),
    _error("PRT334", "list-grown-in-branch"),
    _warning("PRT335", "list-grown-over-dimension"),
    _warning("PRT336", "none-or-tensor"),
    _error("PRT337", "returns-of-different-kind"),
    _warning("PRT340", "host-function-of-size"),
    _warning("PRT341", "host-function-of-tensor"),
    _error("PRT342", "host-function-of-mindspore"),
    _error("PRT343", "iterator-in-construct"),
    _error("PRT344", "tensor-identity"),
    _error("PRT345", "print-with-keyword"),
    _warning("PRT346", "method-not-in-graph"),
    _error("PRT347", "dict-item-without-data"),
    _error("PRT348", "function-named-as-method"),
    _error("PRT350", "cells-in-plain-list"),
    _note("PRT351", "none-in-output"),
    _note("PRT352", "dict-as-output"),
    _warning("PRT353", "training-set-after-first-call"),
    _note("PRT360", "number-recompiles"),
    _note("PRT361", "container-recompiles"),
    _note("PRT362", "shape-recompiles"),
    _note("PRT370", "other-default-than-pytorch"),
    # 4xx: emitting
    _error("PRT401", "output-exists"),
    _error("PRT402", "output-does-not-parse"),
    _review("PRT404", "comment-dropped", Severity.NOTE),
    _error("PRT405", "output-not-writable"),
    # 5xx: weights
    _error("PRT501", "unmatched-checkpoint-name"),
    _error("PRT502", "unfilled-parameter"),
    _error("PRT503", "parameter-shape-differs"),
    _review("PRT504", "dtype-changed"),
    _applied("PRT506", "tied-weights"),
    _error("PRT507", "unreadable-checkpoint"),
    _error("PRT508", "unsafe-checkpoint"),
    _error("PRT509", "read-back-differs"),
    _error("PRT510", "rule-without-match"),
    _review("PRT511", "names-guessed"),
    # 6xx: parity
    _error("PRT601", "shape-differs"),
    _error("PRT602", "dtype-differs"),
    _error("PRT603", "values-differ"),
    _error("PRT604", "graph-differs-from-pynative"),
    _error("PRT605", "non-finite"),
    _error("PRT606", "failed-to-compile"),
    _error("PRT607", "limit-no-longer-holds"),
    _error("PRT608", "worker-failed"),
    _error("PRT609", "reference-failed"),
    _error("PRT610", "gradient-differs"),
    _error("PRT611", "export-differs"),
    _error("PRT612", "structure-differs"),
    _review("PRT613", "modules-not-recorded"),
    _error("PRT614", "training-differs"),
    _review("PRT615", "first-differing-module", Severity.NOTE),
    _error("PRT616", "losses-differ"),
    # 7xx: recipes and usage
    _error("PRT701", "recipe-not-readable"),
    _error("PRT702", "unknown-recipe-key"),
    _error("PRT703", "bad-recipe-value"),
    _error("PRT704", "cannot-build"),
    _error("PRT705", "cannot-import"),
    # 80x to 84x: check, explain and compile
    _error("PRT801", "nothing-to-check"),
    _error("PRT802", "bad-check-setting"),
    _error("PRT803", "bad-input-description"),
    _error("PRT804", "log-not-readable"),
    # 9xx: porter itself
    _error("PRT901", "bad-mapping-entry"),
    _review("PRT902", "unproven-mapping-entry"),
    _error("PRT904", "internal-error"),
)


def find_code(text: str) -> Code:
    """Return the code that `text` names, as `PRT203`, `prt203`, `203` or `in-place-rewritten`.

    Raises PorterError (PRT703, exit code 2) when there is none.
    """
    wanted = text.strip()
    if re.fullmatch(r"\d{3}", wanted):
        wanted = f"PRT{wanted}"
    found = CODES.get(wanted.upper())
    if found is None:
        found = next((code for code in CODES.values() if code.name == wanted.lower()), None)
    if found is None:
        raise PorterError(
            "PRT703", f"no diagnostic is called {text!r}", hint="porter rule lists all codes"
        )
    return found


def page(code: Code) -> str:
    """Return the Markdown page that explains `code`."""
    folder = resources.files("porter.diagnostics") / "pages"
    return (folder / f"{code.code}.md").read_text(encoding="utf-8")
