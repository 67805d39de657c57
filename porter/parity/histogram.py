"""Count how the errors of an output are distributed."""

from __future__ import annotations

import numpy as np

from porter.parity.results import Histogram
from porter.weights.dtypes import Array

_BINS = 24


def histogram(case: str, run: str, output: str, torch: Array, port: Array) -> Histogram:
    """Return the counts of log10 of both sides' absolute errors, over common bins."""
    both = np.concatenate([torch.ravel(), port.ravel()]).astype(np.float64)
    seen = both[(both > 0) & np.isfinite(both)]
    low, high = (np.log10(seen.min()), np.log10(seen.max())) if seen.size else (-1.0, 0.0)
    edges = np.linspace(low, high if high > low else low + 1.0, _BINS + 1)
    counts = []
    for errors in (torch, port):
        positive = errors[(errors > 0) & np.isfinite(errors)]
        counts.append(tuple(int(n) for n in np.histogram(np.log10(positive), edges)[0]))
    return Histogram(
        case=case,
        run=run,
        output=output,
        edges=tuple(float(edge) for edge in edges),
        torch=counts[0],
        port=counts[1],
        torch_exact=int(np.count_nonzero(torch == 0)),
        port_exact=int(np.count_nonzero(port == 0)),
    )
