"""What fails while the graph runs, and the handlers that take it: results, prints, writes as in CPython."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path

import autograph as ag
import handler_programs as programs
import numpy as np
import pytest
from generated_programs import compared, module_of

CALLS = [
    (1.5, np.arange(1.0, 6.0), np.int64(3), np.int64(bad))
    for bad in (1, 99, 0, 2, 3)  # In the middle, nowhere, first, last, after the loop.
] + [(-0.5, np.arange(1.0, 6.0), np.int64(0), np.int64(0))]


@pytest.mark.parametrize("part", range(4))
def test_crossings(part: int, tmp_path: Path) -> None:
    found = [*programs.crossings()][part::4]
    names = {"_".join(one): one for one in found}
    text = programs.PRELUDE + "\n\n" + "".join(programs.program(name, *one) for name, one in names.items())
    module = module_of(text, tmp_path, f"handlers_{part}")
    same, different, refused = compared(module, dict.fromkeys(names, tuple(CALLS)))
    assert not different
    assert not refused
    assert same == len(names) * len(CALLS)


def test_one_try_in_another(tmp_path: Path) -> None:
    names = [f"nested_{number}" for number in range(len(programs.NESTED))]
    texts = [programs.nested_program(name, number) for number, name in enumerate(names)]
    module = module_of(programs.PRELUDE + "\n\n" + "".join(texts), tmp_path, "nested")
    same, different, refused = compared(module, dict.fromkeys(names, tuple(CALLS)))
    assert not different
    assert len(refused) < 4, refused
    assert same > 150


@pytest.mark.parametrize("kinds", ["Exception", "(ArithmeticError, ValueError, LookupError)", "OSError"])
def test_operations(kinds: str, tmp_path: Path) -> None:
    names = {f"operation_{number}": one for number, one in enumerate(programs.OPERATIONS.items())}
    text = programs.PRELUDE + "\n\n"
    text += "".join(programs.operation(name, statements, kinds) for name, (statements, _) in names.items())
    module = module_of(text, tmp_path, f"operations_{len(kinds)}")
    calls = {
        name: tuple(
            (np.int64(i), np.arange(1.0, 4.0), np.arange(9.0).reshape(3, 3), float("inf")) for i in values
        )
        for name, (_, values) in names.items()
    }
    same, different, refused = compared(module, calls)
    assert not different
    assert same > 70
    assert len(refused) < 4, refused


DROPPED = """
class Manager:
    def __init__(self, bad):
        self.bad = bad

    def __enter__(self):
        return 4.0

    def __exit__(self, kind, error, traceback):
        print("exit", error)
        if self.bad > 0:
            raise KeyError("exit")
        return False


def returned(x, bad):
    try:
        with Manager(bad) as m:
            if x > 1:
                return m * x
            if x < 0:
                raise KeyError("k")
            m = m + 1
        return m
    except KeyError as e:
        print(e)
    return -2.0


def left(x, bad):
    s = 0.0
    for i in range(5):
        try:
            with Manager(bad - i) as m:
                if x + i > 2:
                    break
                if x - i < 0:
                    continue
                s += m
        except KeyError:
            s += 100.0
        s += 0.5
    else:
        s += 1000.0
    return s


def at_the_end(x, bad):
    try:
        with Manager(bad) as m:
            return m * x
    except KeyError:
        print("dropped")
"""


def test_jumps_that_an_exit_drops(tmp_path: Path) -> None:
    module = module_of(DROPPED, tmp_path, "dropped")
    calls = tuple((x, bad) for x in (2.0, 0.0, -1.0) for bad in (-1.0, 1.0, 3.0))
    same, different, refused = compared(module, dict.fromkeys(("returned", "left", "at_the_end"), calls))
    assert not different
    assert not refused
    assert same == 27


def test_one_graph_serves_runs_that_fail_and_others() -> None:
    @ag.function
    def first_over(a, limit):
        k = 0
        try:
            while a[k] <= limit:
                k += 1
        except IndexError:
            return -1
        return k

    a = np.array([1.0, 5.0, 7.0])
    assert [first_over(a, limit) for limit in (0.0, 5.0, 9.0)] == [0, 2, -1]
    assert len(first_over.concrete_functions()) == 1


def test_gradients() -> None:
    def shrunk(x):
        s = x
        try:
            for i in range(1, 9):
                s = s * x
                if s > 20.0:
                    raise OverflowError(s * i)
        except OverflowError as error:
            return error.args[0] + x
        return s

    for x in (0.5, 2.0, 3.0):
        step = 1e-6
        slope = (shrunk(x + step) - shrunk(x - step)) / (2 * step)
        np.testing.assert_allclose(ag.grad(shrunk)(x), slope, rtol=1e-6)
        np.testing.assert_allclose(ag.function(lambda x: ag.grad(shrunk)(x))(x), slope, rtol=1e-6)


def test_a_variable_is_unbound_in_the_handler_as_in_cpython() -> None:
    def f(x):
        try:
            if x > 0:
                z = 1.0
            if x < 2:
                raise ValueError
        except ValueError:
            return z
        return 5.0

    staged = ag.function(f)
    assert [staged(1.0), staged(3.0)] == [1.0, 5.0]
    with pytest.raises(UnboundLocalError, match="'z'"):
        staged(-1.0)


def test_objects_of_the_caller_keep_what_was_written_before() -> None:
    class Counter:
        def __init__(self) -> None:
            self.steps = 0
            self.seen: list[float] = []

        def step(self, x):
            self.steps += 1
            if x > 10.0:
                raise ArithmeticError("diverged", x)
            self.seen.append(x)
            return x * 2.0

    def run(counter, x):
        try:
            while True:
                x = counter.step(x)
        except ArithmeticError as error:
            return error.args[1]

    staged = ag.function(run)
    for start in (1.0, 3.0, 20.0):
        one, other = Counter(), Counter()
        assert run(one, start) == staged(other, start)
        assert (one.steps, one.seen) == (other.steps, other.seen)


def test_the_traceback_of_what_no_handler_takes_shows_its_line() -> None:
    def f(x):
        try:
            if x < 0:
                raise ValueError("here")
        except KeyError:
            pass
        finally:
            print("end")
        return x

    lines = []
    for function in (f, ag.function(f)):
        with redirect_stdout(io.StringIO()) as printed, pytest.raises(ValueError, match="here") as caught:
            function(-1.0)
        assert printed.getvalue() == "end\n"
        lines.append(caught.traceback[-1].lineno)
    assert lines[0] == lines[1]
