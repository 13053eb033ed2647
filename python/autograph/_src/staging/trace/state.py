"""The state of a staged statement: the variables it may bind, and the attributes and items it writes."""

from __future__ import annotations

from typing import Any, NamedTuple

from autograph._src.backends.protocol import GetState, SetState
from autograph._src.operators.places import Place
from autograph._src.staging.trace.active import require_trace


class State(NamedTuple):
    """How to read and write the variables and places of a statement, with their names.

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
        """The values of the variables, then those of the places."""
        return (*self.get_variables(), *(place.read() for place in self.places))

    def set(self, values: tuple[Any, ...]) -> None:
        """Assigns values in the order of :meth:`get`, and tells the journal which places it writes."""
        count = len(self.variables)
        self.set_variables(values[:count])
        for place, value in zip(self.places, values[count:], strict=True):
            require_trace().journal.will_write(place)
            place.write(value)

    def first(self, count: int) -> State:
        """The state of the first variables."""
        rest = self.get_variables()[count:]

        def read() -> tuple[Any, ...]:
            return self.get_variables()[:count]

        read.ag_cells = getattr(self.get_variables, "ag_cells", {})  # type: ignore[attr-defined]
        return State(read, lambda values: self.set_variables((*values, *rest)), self.variables[:count])

    def with_places(self, places: list[Place]) -> State:
        """The state with more places in it."""
        return self._replace(places=(*self.places, *places))


def state_of(get_state: GetState | None, set_state: SetState | None, names: tuple[str, ...]) -> State:
    """Makes a state of what converted code passes: ``None`` if a statement binds no variables."""
    return State(get_state or _get_nothing, set_state or _set_nothing, names)


def _get_nothing() -> tuple[Any, ...]:
    return ()


def _set_nothing(values: tuple[Any, ...]) -> None:
    """There is nothing to write."""


NO_VARIABLES = state_of(None, None, ())
"""The state of a statement that binds no variables."""
