"""Collect the hidden states of a model's layers inside the graph."""

from __future__ import annotations

from typing import Any

from mindspore import Tensor

from .outputs import ABSENT, extended, with_field


def started(states: tuple[Tensor, ...], first: Tensor) -> tuple[Tensor, ...]:
    """Return the states, which the input of the first layer precedes."""
    return states if len(states) > 0 else (first,)


def appended(states: tuple[Tensor, ...], result: Any, index: int) -> tuple[Tensor, ...]:
    """Return the states and that of a layer's result: the result, or an item of a tuple."""
    state = result[index] if isinstance(result, (tuple, list)) else result
    return states if state is None else (*states, state)


def with_hidden_states(
    result: dict[str, Any], states: tuple[Tensor, ...], wanted: Any, ties: bool
) -> dict[str, Any]:
    """Return a model's result with the states where they are wanted.

    Args:
        wanted: what `output_hidden_states` says: a truth value, or the positions of those that are
            read; torch has None for the others.
        ties: whether the last state is the result's `last_hidden_state`, where it has one.
    """
    if wanted is None or wanted is False:
        return result
    final = result.get("last_hidden_state")
    if ties and final is not None and len(states) > 0:
        states = (*states[:-1], final)
    if wanted is not True:
        states = _selected(states, (wanted,) if isinstance(wanted, int) else wanted)
    return extended(result, hidden_states=states)


def _selected(states: tuple[Tensor, ...], places: Any) -> tuple[Any, ...]:
    """Return the states at places, which count from the end where they are negative."""
    kept: tuple[Any, ...] = ()
    for place in range(len(states)):
        chosen = False
        for item in places:
            if item == place or item + len(states) == place:
                chosen = True
        kept = (*kept, states[place] if chosen else ABSENT)
    return kept


def filtered(result: dict[str, Any], wanted: Any) -> dict[str, Any]:
    """Return a result without the hidden states that its caller did not ask for."""
    if wanted is None or wanted is False:
        return with_field(result, "hidden_states", None)
    states = result.get("hidden_states")
    if wanted is True or states is None:
        return result
    places = (wanted,) if isinstance(wanted, int) else wanted
    return with_field(result, "hidden_states", _selected(states, places))
