"""Objects whose class has `__array__`, beside staged arrays: NumPy's rule, and the method of the program."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import outcome, outcome_or_refusal


class Signal:
    def __init__(self, samples: Any) -> None:
        self.samples = samples

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(self.samples, dtype=dtype)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.samples})"


class Chosen(Signal):
    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.samples * 2.0 if self.samples.sum() > 0 else self.samples


class WithOperators(Signal):
    def __radd__(self, other: Any) -> Any:
        return "radd"

    def __mul__(self, other: Any) -> Any:
        return "mul"


class First(Signal):
    __array_priority__ = 100.0

    def __radd__(self, other: Any) -> Any:
        return "radd"


class NoUfuncs(Signal):
    __array_ufunc__ = None


class OwnFunctions(Signal):
    def __array_function__(self, *arguments: Any) -> Any:
        return "own"


class NoArray(Signal):
    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return 3


def _in_place(x, q):
    y = x
    x += q
    return y, y is x


def _in_a_view(x, q):
    y = x[:]
    y *= q
    return x


def _written(x, q):
    x[:] = q
    return x


USES: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, q: x + q,
    "radd": lambda x, q: q + x,
    "rmul": lambda x, q: q * x,
    "of_a_ufunc": lambda x, q: np.add(x, q),
    "asarray": lambda x, q: x + np.asarray(q),
    "array": lambda x, q: x + np.array(q),
    "dot": lambda x, q: np.dot(x, q),
    "matmul": lambda x, q: x @ q,
    "where": lambda x, q: np.where(x > 1, x, q),
    "concatenate": lambda x, q: np.concatenate([x, q]),
    "stack": lambda x, q: np.stack([x, q]),
    "nested": lambda x, q: np.add(x, [q, q]),
    "scalar": lambda x, q: x[0] * q,
    "number": lambda x, q: np.multiply(float(x[0]), q),
    "compare": lambda x, q: x > q,
    "equal": lambda x, q: x == q,
    "in_place": _in_place,
    "in_a_view": _in_a_view,
    "written": _written,
    "in_a_branch": lambda x, q: x + q if x[0] > 1 else x - q,
}
CLASSES = [Signal, Chosen, WithOperators, First, NoUfuncs, OwnFunctions, NoArray]


def _values() -> list[Any]:
    return [np.array([3.0, 1.0, 2.0]), np.array([0.5, -1.0, 2.0]), np.array([3, 1, 2]), np.arange(2.0)]


@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize("use", USES)
def test_uses(kind: type[Signal], use: str) -> None:
    staged = ag.function(USES[use])
    for samples in (np.array([1.0, 2.0, 3.0]), np.array([-1.0, -2.0, -3.0]), np.array([1, 2, 3], np.int32)):
        for x, again in zip(_values(), _values(), strict=True):
            want = outcome(USES[use], (x, kind(samples)))
            got, is_refusal = outcome_or_refusal(staged, (again, kind(samples)))
            if not is_refusal:
                assert got == want
            elif kind in (Signal, Chosen):
                assert isinstance(want[0], str), got  # Plain Python raises too.


def test_plain_objects_are_taken() -> None:
    """What the crossing lets pass as a refusal is none for an object with `__array__` alone."""
    for use in ("add", "radd", "of_a_ufunc", "asarray", "dot", "where", "concatenate", "in_place", "written"):
        for kind in (Signal, Chosen):
            staged = ag.function(USES[use])
            for samples in (np.array([1.0, 2.0, 3.0]), np.array([-1.0, -2.0, -3.0])):
                x, again = np.array([3.0, 1.0, 2.0]), np.array([3.0, 1.0, 2.0])
                want = USES[use](x, kind(samples))
                assert repr(staged(again, kind(samples))) == repr(want)
                assert repr(again) == repr(x)


def test_what_the_object_holds_may_change() -> None:
    signal = Signal(np.array([1.0, 2.0]))
    staged = ag.function(lambda x: x + signal)
    x = np.ones(2)
    assert staged(x).tolist() == [2.0, 3.0]
    signal.samples = np.array([10.0, 20.0])
    assert staged(x).tolist() == [11.0, 21.0]
    signal.samples[0] = 5.0
    assert staged(x).tolist() == [6.0, 21.0]


def test_an_object_made_of_staged_values() -> None:
    def f(x):
        return x + Signal(x * 2.0)

    np.testing.assert_array_equal(ag.function(f)(np.arange(3.0)), f(np.arange(3.0)))
    np.testing.assert_array_equal(ag.grad(lambda x: np.sum(f(x)))(np.arange(3.0)), [3.0, 3.0, 3.0])


def test_the_method_runs_in_each_run() -> None:
    class Loud(Signal):
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            print("made")
            return self.samples

    staged = ag.function(lambda x, q: np.add(x, q))
    for _ in range(2):
        with redirect_stdout(io.StringIO()) as shown:
            staged(np.ones(2), Loud(np.ones(2)))
        assert shown.getvalue() == "made\n"


def test_a_note_says_so() -> None:
    staged = ag.function(lambda x, q: x + q)
    staged(np.ones(2), Signal(np.ones(2)))
    (concrete,) = staged.concrete_functions()
    texts = [text for _, text in concrete.notes]
    assert texts.count("a Signal beside a staged value is the array that its `__array__` gives") == 1
