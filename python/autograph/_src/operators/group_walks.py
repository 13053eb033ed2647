"""``itertools.groupby`` over staged values, as generator functions in CPython's own steps.

    for key, group in groupby(xs):      # A group is read from where the groups stand, while they stand there:
        count = len(list(group))        # the next one leaves behind what nobody has taken of it.

CPython's object asks for an item when a group or the next key is asked for, and keeps one item ahead. The
state of both walks is in one object here, so that a group that is read late ends at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from autograph._src.backends.protocol import active_backend
from autograph._src.policy import is_user_class, request_own

_operated: Callable[..., Any]

Operator = TypeVar("Operator", bound=Callable[..., Any])


def compare_with(operated: Operator) -> Operator:
    """Registers the operator that compares keys; ``spelled.py``, which imports this file, calls this."""
    global _operated
    _operated = operated
    return operated


class _Place:
    """Where the groups stand.

    Attributes:
        place: The number of values that have been asked for.
        start: What it was when the group began that may be read.
        number: The number of that group.
        key: The key of the last value.
        is_ahead: Whether that value waits to be given.
    """

    def __init__(self, key: Any) -> None:
        self.place = 1
        self.start = 1
        self.number = 0
        self.key = key
        self.is_ahead = True
        self.is_done = False


def _ask(state: _Place, values: Any, key_of: Callable[[Any], Any] | None) -> None:
    """Asks for the next value; an iterator that has ended has ended, though its list gets longer."""
    if state.place >= len(values) or state.is_done:
        state.is_done = True
        state.is_ahead = False
    else:
        value = values[state.place]
        state.place += 1
        state.key = value if key_of is None else key_of(value)
        state.is_ahead = True


def _is_key(state: _Place, key: Any) -> Any:
    """Whether the last value has the key of a group, which may be a tuple."""
    if is_user_class(type(key)):  # What its `__eq__` does belongs to the run.
        backend = active_backend()
        assert backend is not None
        raise backend.refuse("`groupby` with keys that are objects")
    return _operated("eq", key, state.key)


def _group(
    state: _Place, values: Any, key_of: Callable[[Any], Any] | None, number: int, key: Any
) -> Iterator[Any]:
    is_own = True
    while is_own and number == state.number:
        if not state.is_ahead:
            _ask(state, values, key_of)
        is_own = state.is_ahead and (state.place == state.start or _is_key(state, key))
        if is_own:
            state.is_ahead = False
            yield values[state.place - 1]


def groups(values: Any, key_of: Callable[[Any], Any] | None = None) -> Iterator[Any]:
    """The groups of values that are found by their index.

    Args:
        values: The values.
        key_of: Gives the key of a value; ``None`` if it is its own.

    Yields:
        A key and the generator of its group.
    """
    if len(values) > 0:
        value = values[0]
        state = _Place(value if key_of is None else key_of(value))
        while state.is_ahead:
            state.number += 1
            state.start = state.place  # A key that differs from itself, such as NaN, has its own value.
            key = state.key
            yield key, _group(state, values, key_of, state.number, key)
            if not state.is_ahead:
                _ask(state, values, key_of)
            while state.is_ahead and (state.place == state.start or _is_key(state, key)):
                _ask(state, values, key_of)


class _Walked(_Place):
    """Where the groups of a generator stand.

    Attributes:
        value: The last value that has been asked for.
    """

    def __init__(self, value: Any, key: Any) -> None:
        super().__init__(key)
        self.value = value


def _ask_next(state: _Walked, values: object, key_of: Callable[[Any], Any] | None) -> None:
    if state.is_done or not advanced(values):
        state.is_done = True
        state.is_ahead = False
    else:
        value = taken(values)
        state.place += 1
        state.value = value
        state.key = value if key_of is None else key_of(value)
        state.is_ahead = True


def _group_of_walk(
    state: _Walked, values: object, key_of: Callable[[Any], Any] | None, number: int, key: Any
) -> Iterator[Any]:
    is_own = True
    while is_own and number == state.number:
        if not state.is_ahead:
            _ask_next(state, values, key_of)
        is_own = state.is_ahead and (state.place == state.start or _is_key(state, key))
        if is_own:
            state.is_ahead = False
            yield state.value


def groups_of_walk(values: object, key_of: Callable[[Any], Any] | None = None) -> Iterator[Any]:
    """The groups of values that a generator gives one by one, as :func:`groups`.

    Args:
        values: The generator, as it is walked beside others (`generator_sources.py`).
        key_of: Gives the key of a value; ``None`` if it is its own.

    Yields:
        A key and the generator of its group.
    """
    if advanced(values):
        value = taken(values)
        state = _Walked(value, value if key_of is None else key_of(value))
        while state.is_ahead:
            state.number += 1
            state.start = state.place
            key = state.key
            yield key, _group_of_walk(state, values, key_of, state.number, key)
            if not state.is_ahead:
                _ask_next(state, values, key_of)
            while state.is_ahead and (state.place == state.start or _is_key(state, key)):
                _ask_next(state, values, key_of)


def advanced(values: Any) -> Any:
    """Asks what is walked item by item (`generator_sources.py`) for one; gives whether there is one."""
    return values.advance()


def taken(values: Any) -> Any:
    """The item that was asked for."""
    return values.take()


for _one in (groups, _group, _ask, groups_of_walk, _group_of_walk, _ask_next):
    request_own(_one)

BEGIN_AGAIN = frozenset((_group, _group_of_walk))
"""Generator functions whose walk may begin again: all that it knows is in an object of the program's."""
