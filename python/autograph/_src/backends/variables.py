"""Statements that an ``ag.Variable`` decides: they mean what they mean for the variable's value.

    if self.is_training:        # an `ag.Variable`
        ...

In a trace the value is staged, and its back-end records the statement. Otherwise Python runs the statement.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from autograph._src.backends.protocol import Backend, GetState, SetState, backend_of, run_for
from autograph._src.operators import (
    and_,
    assert_stmt,
    converted_call,
    formatted,
    generator,
    get_item,
    if_exp,
    in_,
    joined_str,
    list_comprehension,
    not_,
    or_,
    set_item,
)
from autograph._src.staging.trace.active import staging_error
from autograph._src.variable import READING, Variable, value_of


class VariableBackend(Backend):
    """Reads the variable and runs the operator again with the value."""

    name = "ag.Variable"

    def if_stmt(
        self,
        test: object,
        body: Callable[[], None],
        orelse: Callable[[], None] | None,
        get_state: GetState | None,
        set_state: SetState | None,
        names: tuple[str, ...],
        n_outputs: int,
    ) -> None:
        """``if variable:``."""
        holds = value_of(test)
        backend = backend_of(holds)
        if backend is not None:
            backend.if_stmt(holds, body, orelse, get_state, set_state, names, n_outputs)
        elif holds:
            body()
        elif orelse is not None:
            orelse()

    def while_stmt(
        self,
        first_test: object,
        test: Callable[[], Any],
        body: Callable[[], None],
        get_state: GetState | None,
        set_state: SetState | None,
        names: tuple[str, ...],
    ) -> None:
        """``while variable:``."""
        holds = value_of(first_test)
        backend = backend_of(holds)
        if backend is not None:
            again = functools.partial(_value_from, test)
            backend.while_stmt(holds, again, body, get_state, set_state, names)
            return
        while holds:
            body()
            holds = test()

    def for_stmt(
        self,
        iterable: Any,
        extra_test: Callable[[], Any] | None,
        body: Callable[[Any], None],
        get_state: GetState | None,
        set_state: SetState | None,
        names: tuple[str, ...],
    ) -> None:
        """``for item in variable:``."""
        items = value_of(iterable)
        backend = backend_of(items)
        if backend is not None:
            backend.for_stmt(items, extra_test, body, get_state, set_state, names)
        else:
            run_for(iter(items), extra_test, body)

    def assert_stmt(self, test: object, message: Callable[[], Any] | None) -> None:
        """``assert variable``."""
        assert_stmt(value_of(test), message)

    def if_exp(self, test: object, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        """``body if variable else orelse``."""
        return if_exp(value_of(test), body, orelse)

    def and_(self, left: object, rest: Callable[[], Any]) -> Any:
        """``variable and rest``: the value, staged, or the variable itself."""
        value = value_of(left)
        return (left and rest()) if backend_of(value) is None else and_(value, rest)

    def or_(self, left: object, rest: Callable[[], Any]) -> object:
        """``variable or rest``: the value, staged, or the variable itself."""
        value = value_of(left)
        return (left or rest()) if backend_of(value) is None else or_(value, rest)

    def list_comprehension(
        self, iterable: Any, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None
    ) -> object:
        """``[element(item) for item in variable]``."""
        return list_comprehension(value_of(iterable), element, condition)

    def generator(
        self, iterable: Any, element: Callable[[Any], Any], condition: Callable[[Any], Any] | None
    ) -> object:
        """``(element(item) for item in variable)``."""
        return generator(value_of(iterable), element, condition)

    def not_(self, value: object) -> object:
        """``not variable``."""
        return not_(value_of(value))

    def is_(self, left: object, right: object) -> Any:
        """``variable is other``: compares the variable objects, not their values."""
        return left is right

    def contains(self, item: object, container: object) -> object:
        """``item in container``."""
        return in_(value_of(item), value_of(container))

    def joined_string(self, parts: tuple[Any, ...]) -> object:
        """An f-string with a variable in it."""
        return joined_str(*map(value_of, parts))

    def formatted(self, value: object, conversion: str | None, spec: str) -> object:
        """A field of an f-string."""
        return formatted(value_of(value), conversion, spec)

    def get_item(self, target: object, index: object) -> object:
        """``target[index]``."""
        return get_item(value_of(target), _index(index))

    def set_item(self, target: object, index: object, value: object) -> None:
        """``target[index] = value`` where the index is a variable; a variable as the target is refused.

        Raises:
            StagingError: If the target is a variable.
        """
        if isinstance(target, Variable):
            raise staging_error(
                "AG120", "items of a variable cannot be written", "assign a changed copy: `v.assign(x)`"
            )
        set_item(target, _index(index), value)

    def set_attr(self, target: object, name: str, value: object) -> None:
        """``variable.name = value``."""
        setattr(target, name, value)

    def call_builtin(self, function: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        """``len(variable)``, ``print(variable)`` and their like."""
        if function not in READING:
            return NotImplemented
        values = {name: value_of(value) for name, value in kwargs.items()}
        return converted_call(function, *map(value_of, args), **values)

    def call_numpy(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
        """``np.sin(variable)``."""
        values = {name: value_of(value) for name, value in kwargs.items()}
        return function(*map(value_of, args), **values)

    def load(self, value: object, is_free: bool = False) -> object:
        """The variable itself: an ``ag.Variable`` object is never unbound."""
        return value


def _value_from(test: Callable[[], Any]) -> object:
    return value_of(test())


def _index(index: object) -> object:
    return tuple(map(value_of, index)) if isinstance(index, tuple) else value_of(index)
