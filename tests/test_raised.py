"""Exceptions that the user's program raises in a staged block: the run raises what plain Python raises."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest


class Plain(Exception):
    """Nothing of its own."""


class WithAttributes(Exception):
    """Keeps more than its arguments."""

    def __init__(self, value: Any, limit: Any = 2) -> None:
        super().__init__(value)
        self.value = value
        self.limit = limit


class ByKeyword(ValueError):
    """Its arguments are not those that it was made with."""

    def __init__(self, *, value: Any, why: str) -> None:
        super().__init__(f"{why}: {value}")
        self.value = value
        self.code = 404
        self.message = why


class WithSlots(Exception):
    """An attribute in a slot."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class WithText(Exception):
    """A text of its own."""

    def __str__(self) -> str:
        return f"<{self.args[0]}>"


@dataclasses.dataclass
class Record(Exception):
    """A dataclass."""

    value: Any
    count: int = 3


class NoException(BaseException):
    """What `except Exception` does not catch."""


def a_class(x):
    if x > 2:
        raise Plain
    return x


def arguments(x):
    if x > 2:
        raise Plain("text", x, [x, 3], {"k": x})
    return x


def checked(x):
    if x > 2:
        raise WithAttributes(x, limit=x * 2)


def in_a_callee(x):
    checked(x)
    return x


def by_keyword(x):
    if x > 2:
        raise ByKeyword(value=x, why="too large")
    return x


def with_slots(x):
    if x > 2:
        raise WithSlots(x)
    return x


def with_text(x):
    if x > 2:
        raise WithText(x)
    return x


def a_dataclass(x):
    if x > 2:
        raise Record(x)
    return x


def from_a_cause(x):
    if x > 2:
        raise Plain(f"bad {x:.2f}") from WithAttributes(x)
    return x


def from_none(x):
    if x > 2:
        raise Plain("alone") from None
    return x


def a_kept_one(x):
    error = Plain("kept", x)
    if x > 2:
        raise error
    return x


def with_a_note(x):
    error = ValueError("noted")
    error.add_note("a note")
    if x > 2:
        raise error
    return x


def in_a_loop(x):
    i = 0
    while i < 10:
        if i > x:
            raise StopIteration(i)
        i += 1
    return i


def in_a_nested_function(x):
    for k in range(9):

        def deep(k):
            if k + x > 5:
                raise WithAttributes(k, limit=[k, x])
            return k

        deep(k)
    return x


def an_exit(x):
    if x > 2:
        sys.exit(3)
    return x


def no_exception(x):
    if x > 2:
        raise NoException(x)
    return x


def a_group(x):
    if x > 2:
        raise ExceptionGroup("several", [ValueError(1), TypeError(2)])
    return x


def of_the_system(x):
    if x > 2:
        raise OSError(2, "no such", "file")
    return x


def of_unicode(x):
    if x > 2:
        raise UnicodeDecodeError("utf8", b"a", 0, 1, "reason")
    return x


def no_error_at_all(x):
    if x > 2:
        raise 5
    return x


def made_elsewhere(x):
    def make():
        return WithAttributes(x)

    if x > 2:
        raise make()
    return x


PROGRAMS = [
    *(a_class, arguments, in_a_callee, by_keyword, with_slots, with_text, a_dataclass, from_a_cause),
    *(from_none, a_kept_one, with_a_note, in_a_loop, in_a_nested_function, an_exit, no_exception, a_group),
    *(of_the_system, of_unicode, no_error_at_all, made_elsewhere),
]


def outcome(function: Callable[[Any], Any], x: Any) -> Any:
    """What a call gives, or all that a handler can see of what it raises."""
    try:
        return function(x)
    except BaseException as error:
        return seen(error)


OURS = {"location", "help", "_shown"}


def seen(error: BaseException) -> Any:
    """Its classes, arguments, attributes and cause."""
    classes = [kind for kind in type(error).__mro__ if kind.__module__ != "autograph.errors"]
    ours = OURS if isinstance(error, ag.GraphRuntimeError) else set()
    attributes = {name: value for name, value in vars(error).items() if name not in ours}
    for name in ("message", "code") if ours and not isinstance(error, ByKeyword) else ():
        attributes.pop(name)
    slots = getattr(error, "value", None)
    cause = None if error.__cause__ is None else seen(error.__cause__)
    return classes, repr(error.args), repr(sorted(attributes.items())), repr(slots), cause


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_staged_raise_is_that_of_plain_python(program: Callable[[Any], Any]) -> None:
    staged = ag.function(program)
    for value in (1.0, 4.0, 7.0):
        x = np.float64(value)
        assert outcome(staged, x) == outcome(program, x)


def test_a_staged_raise_is_also_a_graph_runtime_error_with_its_place() -> None:
    with pytest.raises(ByKeyword) as caught:
        ag.function(by_keyword)(np.float64(4.0))
    error = caught.value
    assert isinstance(error, ag.GraphRuntimeError) and error.code == 404 and error.message == "too large"
    assert "error[AG201]: too large: 4.0" in str(error)
    assert "raise ByKeyword(value=x" in str(error)


def test_each_run_raises_an_exception_of_its_own() -> None:
    staged = ag.function(no_exception)
    caught = []
    for _ in range(2):
        with pytest.raises(NoException) as one:
            staged(np.float64(4.0))
        caught.append(one.value)
    assert caught[0] is not caught[1]


def test_an_exit_in_a_branch_that_is_not_taken_does_not_happen() -> None:
    assert ag.function(an_exit)(np.float64(1.0)) == 1.0
