"""The state of a staged statement: variables it shares with its function, places that it writes."""

from __future__ import annotations

from typing import Any, NamedTuple

from autograph._src.backends.protocol import GetState, SetState
from autograph._src.operators.places import Place
from autograph._src.staging.trace.active import require_trace


class State(NamedTuple):
    """How to read and write the variables, and what they are called.

    Attributes:
        get_variables: Reads the variables.
        set_variables: Writes them.
        variables: Their names.
        places: Attributes and containers that are part of the state too.
    """

    get_variables: GetState
    set_variables: SetState
    variables: tuple[str, ...]
    places: tuple[Place, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables, then those of the places."""
        return (*self.variables, *(place.name for place in self.places))

    def get(self) -> tuple[Any, ...]:
        """The values of both."""
        return (*self.get_variables(), *(place.read() for place in self.places))

    def set(self, values: tuple[Any, ...]) -> None:
        """Assigns values as :meth:`get` gives them; the journal is told of the places."""
        count = len(self.variables)
        self.set_variables(values[:count])
        for place, value in zip(self.places, values[count:], strict=True):
            require_trace().journal.will_write(place)
            place.write(value)

    def with_places(self, places: list[Place]) -> State:
        """The state with more places in it."""
        return self._replace(places=(*self.places, *places))


def state_of(get_state: GetState | None, set_state: SetState | None, names: tuple[str, ...]) -> State:
    """The state as converted code hands it over: ``None`` where a statement shares no variables."""
    return State(get_state or _get_nothing, set_state or _set_nothing, names)


def _get_nothing() -> tuple[Any, ...]:
    return ()


def _set_nothing(values: tuple[Any, ...]) -> None:
    """There is nothing to write."""


NO_VARIABLES = state_of(None, None, ())
"""The state of what shares no variables."""
