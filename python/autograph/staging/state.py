"""The variables that a staged statement shares with the rest of its function."""

from __future__ import annotations

from typing import Any, NamedTuple

from autograph.backends.protocol import GetState, SetState


class State(NamedTuple):
    """How to read and write the variables, and what they are called.

    Attributes:
        get: Reads their values.
        set: Writes them.
        names: Their names.
    """

    get: GetState
    set: SetState
    names: tuple[str, ...]


def state_of(get_state: GetState | None, set_state: SetState | None, names: tuple[str, ...]) -> State:
    """The state as converted code hands it over: ``None`` where a statement shares no variables."""
    return State(get_state or _get_nothing, set_state or _set_nothing, names)


def _get_nothing() -> tuple[Any, ...]:
    return ()


def _set_nothing(values: tuple[Any, ...]) -> None:
    """There is nothing to write."""
