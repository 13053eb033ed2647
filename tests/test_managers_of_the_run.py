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


PROGRAMS = """
from contextlib import ContextDecorator, closing, contextmanager, nullcontext

import numpy as np


@contextmanager
def renamed(x):
    try:
        yield x * 2
    except IndexError as error:
        raise KeyError("renamed", x) from error
    else:
        print("fine")


class Made:
    @contextmanager
    def by_a_method(self, k):
        self.k = k
        yield self
        self.k = -1.0

    @classmethod
    @contextmanager
    def by_the_class(cls):
        yield 4.0

    @staticmethod
    @contextmanager
    def by_none():
        yield 5.0


def methods(xs, i):
    made = Made()
    with made.by_a_method(xs[0]) as z:
        y = z.k + xs[i]
    with Made.by_the_class() as a, Made.by_none() as b:
        y = y + a * b
    return y, made.k


@contextmanager
def emptied(x):
    held = [x]
    try:
        yield held
    finally:
        held.clear()


def a_list_of_the_manager(xs, i):
    with emptied(xs[0]) as held:
        held.append(xs[i])
        n = len(held)
    return n, held


def scaled(x, i):
    with renamed(x) as z:
        return z + i


def in_a_comprehension(xs, i):
    return [scaled(x, i) for x in xs]


def entered_twice(xs, i):
    m = renamed(xs[0])
    with m:
        pass
    with m:
        return xs[i]


def return_out_of_two(xs, i):
    with renamed(xs[0]) as a:
        with renamed(xs[1]):
            for k in range(i):
                if xs[k] > 0.5:
                    return xs[k], a
    return -1.0, a


class Resource:
    def __init__(self):
        self.n = 0

    def close(self):
        self.n += 1
        print("closed", self.n)


def closed(xs, i):
    resource = Resource()
    with closing(resource) as same:
        y = xs[i]
        same.n = 5
    return y, resource.n


class Decorator(ContextDecorator):
    def __enter__(self):
        print("in")
        return self

    def __exit__(self, kind, error, traceback):
        print("out", error)
        return kind is IndexError


@Decorator()
def doubled(xs, i):
    return xs[i] * 2


def under_a_decorator(xs, i):
    return doubled(xs, i)


def nothing(xs, i):
    with nullcontext(3.0) as z:
        y = xs[i] + z
    return y
"""

NAMES = (
    *("methods", "a_list_of_the_manager", "in_a_comprehension", "entered_twice", "return_out_of_two"),
    *("closed", "under_a_decorator", "nothing"),
)


def test_managers_of_all_kinds(tmp_path: Path) -> None:
    module = module_of(PROGRAMS, tmp_path, "kinds_of_managers")
    calls = tuple((np.arange(3.0), np.int64(i)) for i in (0, 1, 2, 5, 2))
    same, different, refused = compared(module, dict.fromkeys(NAMES, calls))
    assert (same, different, refused) == (len(NAMES) * len(calls), [], [])


def test_a_generator_that_has_no_walk_is_refused_where_it_would_miss_an_exception() -> None:
    @contextmanager
    def valued():
        print((yield 2.0))

    @valued()
    def under(xs, i):
        return xs[i]

    def inside(xs, i):
        with valued() as z:
            return xs[i] + z

    for function in (inside, lambda xs, i: under(xs, i)):
        with pytest.raises(ag.StagingError) as caught:
            ag.function(function)(np.arange(3.0), np.int64(1))
        assert caught.value.code == "AG135"
        assert "a class with `__enter__` and `__exit__`" in (caught.value.help or "")


BOUND = """from contextlib import contextmanager


@contextmanager
def bound(z):
    print("enters")
    try:
        sent = yield z * 2
        print("sent", sent)
    except IndexError as error:
        print("caught", error)
        raise
    finally:
        print("leaves")


def f(xs, i):
    with bound(xs[0]) as z:
        y = xs[i] + z
        print("inside")
    return y
"""


def test_a_manager_that_binds_what_its_yield_gives(tmp_path: Path) -> None:
    module = module_of(BOUND, tmp_path, "bound_managers")
    calls = tuple((np.arange(3.0), np.int64(i)) for i in (0, 2, 5, 1))
    assert compared(module, {"f": calls}) == (len(calls), [], [])
