"""What fails while the graph runs, inside of a `with` whose manager is a generator: as in CPython."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path

import autograph as ag
import manager_programs as programs
import numpy as np
import pytest
from generated_programs import compared, module_of

CALLS = tuple(
    (x, np.arange(1.0, 6.0), np.int64(3), np.int64(bad))
    for x, bad in ((1.5, 1), (1.5, 99), (0.5, 0), (0.5, 2), (-0.5, 1))
)


@pytest.mark.parametrize("part", range(4))
def test_crossings(part: int, tmp_path: Path) -> None:
    names = {"_".join(one): one for one in [*programs.crossings()][part::4]}
    text = programs.PRELUDE + "\n\n" + "".join(programs.program(name, *one) for name, one in names.items())
    module = module_of(text, tmp_path, f"managers_{part}")
    same, different, refused = compared(module, dict.fromkeys(names, CALLS))
    assert not different
    assert [one for one in refused if not one.startswith("loop_")] == []  # May it yield again? The run knows.
    assert same >= (len(names) - len(programs.WITHS) // 2) * len(CALLS) * 0.9


WRITES = """
import numpy as np


def attempt(g, k):
    try:
        g(k)
    except IndexError:
        print("caught")


def written(xs, i):
    s = 0.0

    def g(k):
        nonlocal s
        s += 1.0
        s += xs[k]
        s += 1.0

    attempt(g, i)
    return s


def written_deeper(xs, i):
    s = 0.0

    def g(k):
        nonlocal s

        def h(j):
            nonlocal s
            s += xs[j]
            s += 0.5

        s += 1.0
        attempt(h, k)
        s += xs[k - 1]
        s += 1.0

    for r in range(i):
        attempt(g, r)
    return s


COUNT = 0.0


def counted(xs, i):
    global COUNT
    COUNT = 0.0

    def g(k):
        global COUNT
        COUNT += 1.0
        COUNT += xs[k]
        COUNT += 1.0

    attempt(g, i)
    return COUNT


def items(xs):
    for x in xs:
        yield x


def walked(xs, i):
    s = 0.0
    try:
        for v in items(xs):
            s += 1.0
            s += xs[int(v) + i]
            s += 0.5
    except IndexError:
        print("no")
    return s
"""


def test_variables_of_other_functions_keep_what_was_written_before(tmp_path: Path) -> None:
    module = module_of(WRITES, tmp_path, "written_before")
    calls = tuple((np.arange(3.0), np.int64(i)) for i in (0, 1, 2, 5, 4))
    names = ("written", "written_deeper", "counted", "walked")
    same, different, refused = compared(module, dict.fromkeys(names, calls))
    assert (same, different, refused) == (20, [], [])


@contextmanager
def section(name):
    print("begin", name)
    try:
        yield name
    finally:
        print("end", name)


@section("decorated")
def picked(xs, i):
    return xs[i]


def test_the_traceback_has_no_line_of_the_manager() -> None:
    def within(xs, i):
        with section("a") as a, section("b"):
            if i > 7:
                raise ValueError(a)
            return xs[i]

    def under(xs, i):
        return picked(xs, i)

    for function in (within, under):
        for i in (5, 9):
            lines = []
            for call in (function, ag.function(function)):
                with pytest.raises((IndexError, ValueError)) as caught:
                    call(np.arange(3.0), np.int64(i))
                lines.append([one.lineno for one in caught.traceback if str(one.path) == __file__][1:])
            assert lines[0] == lines[1]


def test_gradients() -> None:
    @contextmanager
    def scaled(x):
        try:
            yield 3.0 * x
        except ArithmeticError:
            print("large")

    def f(x):
        y = x
        with scaled(x) as z:
            y = z * z
            if y > 50.0:
                raise OverflowError
            y = y * x
        return y

    for x in (0.5, 3.0):
        step = 1e-6
        slope = (f(x + step) - f(x - step)) / (2 * step)
        np.testing.assert_allclose(ag.grad(f)(x), slope, rtol=1e-6)


def test_powers_that_fail() -> None:
    def power(x, n):
        try:
            return x**n
        except ValueError as error:
            return error.args[0]

    def of_two(x, n):
        try:
            y = np.power(2, x + n)
        except ValueError:
            y = x * 0 - 7
        return y

    values = [np.arange(3), np.arange(3, dtype=np.int32), np.int64(4)]
    values += [np.zeros((0, 2), int), np.zeros(0, int)]
    for function in (power, of_two):
        staged = ag.function(function)
        for x in [*values, *values]:
            for n in (2, -1, 0, -5):
                with np.errstate(all="ignore"):
                    want, got = function(x, np.int64(n)), staged(x, np.int64(n))
                assert repr(want) == repr(got)


def test_a_manager_that_did_not_yield() -> None:
    @contextmanager
    def some(x):
        if x > 0:
            yield x

    def f(x):
        with some(x) as y:
            return y + 1.0

    staged = ag.function(f)
    assert staged(2.0) == f(2.0)
    with pytest.raises(RuntimeError, match="generator didn't yield") as caught:
        staged(-2.0)
    assert caught.value.__suppress_context__
