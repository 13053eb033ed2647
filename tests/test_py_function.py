"""``ag.py_function``: what the running graph asks Python for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

TABLE = {0: 1.5, 1: -2.0, 2: 4.0}
SEEN: list[Any] = []


@ag.py_function
def looked_up(key: Any) -> float:
    SEEN.append(key)
    return TABLE[int(key)]


@ag.py_function(result=lambda x, n: ag.ArraySpec.of(np.empty((2, *x.shape))))
def powers(x: Any, n: Any) -> Any:
    return np.stack([x**n, x**2])


@ag.py_function
def pair(x: Any) -> tuple[int, np.float32]:
    return int(x), np.float32(x / 2)


@ag.py_function
def noted(x: Any, *, tag: str) -> None:
    SEEN.append((tag, x))


def in_a_loop(n: Any) -> Any:
    total = 0.0
    for i in range(n):
        if i != 1:
            total += looked_up(i)
    return total


def arrays(x: Any) -> Any:
    both = powers(x, 3)
    return both[0] - both[1] + x


def several(x: Any) -> Any:
    whole, half = pair(x)
    noted(x, tag="here")
    return whole + 1, half * 2


@pytest.mark.parametrize(
    ("program", "argument"),
    [(in_a_loop, np.int64(3)), (arrays, np.array([1.0, 2.0, 3.0])), (several, np.float64(7.5))],
)
def test_programs_mean_what_they_mean_unstaged(program: Callable[..., Any], argument: Any) -> None:
    def run(function: Callable[..., Any]) -> tuple[Any, list[Any]]:
        SEEN.clear()
        result = function(argument)
        leaves = result if isinstance(result, tuple) else (result,)
        return [(type(leaf), np.asarray(leaf).tolist()) for leaf in leaves], [*map(str, SEEN)]

    staged = ag.function(program)
    expected = run(program)
    assert run(staged) == expected
    assert run(staged) == expected
    assert run(lambda x: staged.concrete_function(x).interpret([x])) == expected


def test_exceptions_of_python_are_the_runs() -> None:
    with pytest.raises(KeyError, match="3"):
        ag.function(in_a_loop)(np.int64(4))


def test_deep_in_a_recursion() -> None:
    def down(n: Any) -> Any:
        if n == 0:
            return looked_up(n)
        return down(n - 1) + 1.0

    assert ag.function(down)(np.int64(1000)) == 1001.5


@pytest.mark.parametrize(
    ("result", "given", "text"),
    [
        (
            ag.ArraySpec((3,)),
            np.ones(2),
            "gave ArraySpec((2,), float64) where it says ArraySpec((3,), float64)",
        ),
        (ag.ArraySpec((), np.int64), 1.5, "gave ArraySpec((), float64) where it says ArraySpec((), int64)"),
        (float, "a", "where it says float"),
        (None, 1, "gave 1 where it says None"),
        ((float, float), 1.0, "gave another tree than it says"),
    ],
)
def test_results_that_are_not_as_said(result: Any, given: Any, text: str) -> None:
    odd = ag.py_function(lambda x: given, result=result)
    with pytest.raises(TypeError) as caught:
        ag.function(lambda x: odd(x))(np.float64(1.0))
    assert text in str(caught.value)


def test_arrays_cannot_be_written() -> None:
    def write(x: Any) -> Any:
        x[0] = 1.0

    written = ag.py_function(write, result=None)
    with pytest.raises(ValueError, match="read-only"):
        ag.function(lambda x: written(x * 2))(np.zeros(3))


@pytest.mark.parametrize(("result", "given"), [(float, 3.0), (int, 3), (bool, True), (complex, 3j)])
def test_numbers_of_python_are_of_the_class_that_is_said(result: Any, given: Any) -> None:
    f = ag.py_function(lambda x: given, result=result)
    found = ag.function(lambda x: f(x))(np.float64(2.0))
    assert found == given and type(found) is result


@pytest.mark.parametrize(
    ("result", "given"),
    [(float, np.float64(3.0)), (float, 3), (int, True), (int, np.int64(3)), (bool, np.True_)],
)
def test_numbers_of_another_class_are_refused(result: Any, given: Any) -> None:
    """An `np.float64` is an instance of `float`, and divides by zero without an error."""
    f = ag.py_function(lambda x: given, result=result)
    with pytest.raises(TypeError) as caught:
        ag.function(lambda x: f(x))(np.float64(2.0))
    assert f"gave {given!r} where it says {result.__name__}" in str(caught.value)


VARIABLE, OTHER = ag.Variable(1.0), ag.Variable(2.0)


def test_variables_of_the_running_graph() -> None:
    """What the graph holds is written back when the run ends: Python can neither see nor change it."""
    assign = ag.py_function(lambda x: VARIABLE.assign(x) and None, result=None)
    read = ag.py_function(lambda: VARIABLE.value, result=ag.ArraySpec(()))
    assign_other = ag.py_function(lambda x: OTHER.assign(x) and None, result=None)

    @ag.function
    def assigned(x: Any) -> Any:
        assign(x)
        return VARIABLE.value

    @ag.function
    def read_after_assigning(x: Any) -> Any:
        VARIABLE.assign(x)
        return read()

    @ag.function
    def read_only(x: Any) -> Any:
        assign_other(x)
        return read() + VARIABLE.value

    with pytest.raises(TypeError, match="is used by the staged function that calls this"):
        assigned(5.0)
    with pytest.raises(TypeError, match="is assigned by the staged function that calls this"):
        read_after_assigning(5.0)
    assert VARIABLE.value == 5.0  # The writes before are there, as in CPython.
    assert read_only(7.0) == 10.0 and OTHER.value == 7.0


def test_methods_and_repr() -> None:
    class Model:
        scale = 3.0

        @ag.py_function(result=float)
        def scaled(self, x: Any) -> Any:
            return float(x) * self.scale

        def run(self, x: Any) -> Any:
            return self.scaled(x) + 1.0

    assert ag.function(Model().run)(np.float64(2.0)) == 7.0
    assert Model().scaled(2.0) == 6.0
    assert repr(looked_up) == "<ag.py_function looked_up>"


def test_it_writes_to_what_it_is_given_from_outside() -> None:
    history: list[Any] = []
    table = np.zeros(3)

    @ag.py_function
    def note(values: Any, target: Any, x: Any) -> None:
        values.append(x)
        target += x

    def f(x: Any) -> Any:
        if x > 0:
            note(history, table, x)
        return x * 2.0

    staged = ag.function(f)
    for number in (1.0, -1.0, 2.0, 2.0):
        assert staged(np.float64(number)) == number * 2.0
    assert history == [1.0, 2.0, 2.0] and all(type(one) is np.float64 for one in history)
    assert table.tolist() == [5.0, 5.0, 5.0]


def test_it_may_not_write_to_a_list_of_the_staged_function() -> None:
    @ag.py_function
    def note(values: Any, x: Any) -> None:
        values.append(x)

    def f(x: Any) -> Any:
        values = [x]
        note(values, x)
        return len(values)

    with pytest.raises(TypeError, match="changed a list of the staged function"):
        ag.function(f)(np.float64(1.0))
