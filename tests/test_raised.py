"""Exceptions that the user's program raises in a staged block: the run raises what plain Python raises."""

from __future__ import annotations

import dataclasses
import doctest
import sys
import traceback
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


def twice_called(x):
    return checked_twice(x) + 1


def checked_twice(x):
    for k in range(3):
        x = in_a_callee(x) + k
    return x


def recursive(n):
    if n > 5:
        return n
    if n == 1:
        raise KeyError(n, "at the end")
    return recursive(n - 1) * 2


def from_a_recursion(x):
    return 2 * recursive(x)


def in_a_method(x):
    return Checker(2.0).check(x)


class Checker:
    """Raises in a method, and in one that is called by another."""

    def __init__(self, limit: Any) -> None:
        self.limit = limit

    def check(self, x: Any) -> Any:
        if x > self.limit:
            raise OverflowError(f"{x} > {self.limit}")
        return x

    def __call__(self, x: Any) -> Any:
        return self.check(x)


def in_an_object_that_is_called(x):
    return Checker(2.0)(x)


def in_a_lambda(x):
    check = lambda v: in_a_callee(v) * 2  # noqa: E731
    return check(x)


def division(x):
    return 1 // int(x - 4)


def float_division(x):
    return 1.0 / float(x - 4)


def a_large_power(x):
    return float(x) ** 1e6


def an_index(x):
    return np.arange(3.0)[int(x)]


def an_index_of_a_list(x):
    values = [x, x, x, x, x]
    return values[int(x)]


def a_singular_matrix(x):
    return np.linalg.inv(np.zeros((2, 2)) * x).sum()


def a_negative_power(x):
    return (np.arange(3) ** np.int64(2 - x)).sum()


def an_empty_list(x):
    values = [x]
    while x > 1:
        x -= values.pop()
    return values.pop() + x


def a_missing_key(x):
    if x > 2:
        raise KeyError("missing")
    return x


def a_cause_with_a_cause(x):
    if x > 2:
        inner = WithAttributes(x)
        inner.__cause__ = KeyError(x)
        raise Plain("outer") from inner
    return x


PROGRAMS = [
    *(
        twice_called,
        from_a_recursion,
        in_a_method,
        in_an_object_that_is_called,
        in_a_lambda,
        division,
        float_division,
    ),
    *(a_large_power, an_index, an_index_of_a_list, a_singular_matrix),
    *(a_negative_power, an_empty_list, a_missing_key, a_cause_with_a_cause),
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


def seen(error: BaseException | None) -> Any:
    """Its class, texts, arguments, attributes, notes, cause, context, and where it was raised."""
    if error is None:
        return None
    attributes, notes = sorted(vars(error).items()), getattr(error, "__notes__", None)
    slots = getattr(error, "value", None)
    texts = type(error), str(error), repr(error), repr(error.args), repr(attributes)
    around = seen(error.__cause__), seen(error.__context__), error.__suppress_context__
    return texts, repr(slots), notes, around, frames_of(error)


def frames_of(error: BaseException) -> list[tuple[str, str, int | None]]:
    """Function, line and its number of each frame of a traceback in this file."""
    frames = traceback.extract_tb(error.__traceback__)
    inner = [one for one in frames if one.name not in TESTERS and "numpy" not in one.filename]
    return [(one.name, one.line or "", one.lineno) for one in inner]


TESTERS = ("outcome",)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_staged_raise_is_that_of_plain_python(program: Callable[[Any], Any]) -> None:
    staged = ag.function(program)
    for value in (1.0, 4.0, 7.0):
        x = np.float64(value)
        assert outcome(staged, x) == outcome(program, x)


def test_the_place_of_a_staged_raise_is_known() -> None:
    with pytest.raises(ByKeyword, match=r"^too large: 4.0$") as caught:
        ag.function(by_keyword)(np.float64(4.0))
    error: Any = caught.value
    assert type(error) is ByKeyword and error.code == 404 and error.message == "too large"
    line = by_keyword.__code__.co_firstlineno + 2
    assert ag.errors.place_of(error) == (__file__, line, 9, "AG201")


def test_the_place_of_what_no_graph_raised_is_not_known() -> None:
    assert ag.errors.place_of(ValueError("mine")) is None
    with pytest.raises(ag.StagingError) as caught:
        ag.function(lambda x: x[np.float64(1.0)])(np.ones(2))
    place = ag.errors.place_of(caught.value)
    assert place is not None and place.file == __file__ and place.code == caught.value.code


def test_an_uncaught_exception_shows_its_place() -> None:
    with pytest.raises(WithAttributes) as caught:
        ag.function(in_a_callee)(np.float64(4.0))
    text = "".join(traceback.format_exception(caught.value))
    first, second = (function.__code__.co_firstlineno for function in (in_a_callee, checked))
    assert f"line {first + 1}, in in_a_callee" in text and f"line {second + 2}, in checked" in text
    assert "    raise WithAttributes(x, limit=x * 2)\n" in text


def test_a_doctest_sees_no_difference() -> None:
    text = ">>> f(4.0)\nTraceback (most recent call last):\nKeyError: 'missing'\n"
    for function in (ag.function(a_missing_key), a_missing_key):
        test = doctest.DocTestParser().get_doctest(text, {"f": function}, "a program", None, None)
        assert doctest.DocTestRunner().run(test).failed == 0


def test_the_printed_traceback_is_that_of_plain_python() -> None:
    def printed(function: Callable[..., Any]) -> str:
        with pytest.raises(WithAttributes) as caught:
            function(np.float64(4.0))
        text = "".join(traceback.format_exception(caught.value))
        return text[text.index("in in_a_callee") :]

    assert printed(ag.function(in_a_callee)) == printed(in_a_callee)


def test_an_object_that_exists_is_raised_itself() -> None:
    def f(x):
        if x > 2:
            raise EXISTING
        return x

    staged = ag.function(f)
    for _ in range(2):
        with pytest.raises(ValueError, match=r"^there before$") as caught:
            staged(np.float64(3.0))
        assert caught.value is EXISTING


EXISTING = ValueError("there before")


def test_the_context_is_what_the_caller_handles_at_that_call() -> None:
    staged = ag.function(a_class)
    for known in (KeyError("first"), IndexError("second"), None):
        for function in (staged, a_class):
            try:
                if known is not None:
                    raise known
                function(np.float64(4.0))
            except (LookupError, Plain) as handled:
                if known is None:
                    assert handled.__context__ is None
                    continue
                with pytest.raises(Plain) as caught:
                    function(np.float64(4.0))
                assert caught.value.__context__ is known


def test_frozen_exceptions_are_raised_too() -> None:
    @dataclasses.dataclass(frozen=True)
    class Frozen(Exception):
        value: Any

    def f(x):
        if x > 2:
            raise Frozen(x)
        return x

    with pytest.raises(Frozen) as caught:
        ag.function(f)(np.float64(3.0))
    assert caught.value.value == 3.0


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


@pytest.mark.parametrize("text", ["assert value is None", "return no_such_name"])
def test_a_fault_of_our_own_code_is_none_of_the_programs(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from autograph._src.numpy.creation import creation

    scope: dict[str, Any] = {}
    exec(compile(f"def filled(value, *_):\n    {text}", creation.__file__, "exec"), scope)
    monkeypatch.setattr(creation, "_filled", scope["filled"])

    def f(n, c):
        y = np.ones(3)
        if c:
            y = np.zeros(n)
        return y

    with pytest.raises(ag.StagingError, match="a fault of AutoGraph itself") as caught:
        ag.function(f)(np.int64(3), np.bool_(True))
    assert caught.value.code == "AG208"


def test_an_assertion_of_the_program_is_the_programs() -> None:
    def f(c):
        if c:
            assert not [1], "no"
        return 1

    staged = ag.function(f)
    assert staged(np.bool_(False)) == 1
    with pytest.raises(AssertionError, match="no"):
        staged(np.bool_(True))
