"""Calls of compiled functions: those that need no Python give what the others give."""

from __future__ import annotations

import gc
import threading
import traceback
import weakref
from typing import Any

import autograph as ag
import numpy as np
import pytest

SCALE = 2.0


def slow_calls(staged: Any, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The arguments of the calls that reach Python from now on."""
    seen: list[tuple[Any, ...]] = []
    plain = type(staged)._call

    def call(self: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        seen.append(args)
        return plain(self, args, kwargs)

    monkeypatch.setattr(type(staged), "_call", call)
    return seen


@pytest.mark.parametrize(
    "args",
    [
        (np.ones(3), np.arange(3.0), np.full(3, 2.0)),
        (np.ones((2, 0)), 1.5, np.float32(2.0)),
        (np.float64(-0.0), 2, True),
        (np.array(1.0), np.int32(3), np.uint8(7)),
        (np.array([True, False]), np.bool_(True), np.int64(-5)),
        (1.0, 2.0, 3.0),
    ],
)
def test_a_second_call_needs_no_python_and_gives_the_same(
    args: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def add(a, b, c):
        return a + b + c

    staged = ag.function(add)
    staged(*args)
    seen = slow_calls(staged, monkeypatch)
    got, want = staged(*args), add(*args)
    assert seen == []
    assert type(got) is type(want) and np.array_equal(got, want)
    assert np.asarray(got).dtype == np.asarray(want).dtype


def test_results_without_python(monkeypatch: pytest.MonkeyPatch) -> None:
    @ag.function
    def f(x, y, name):
        return x, x * y, name, 5, x.sum(), None

    x = np.arange(3.0)
    f(x, 2.0, "a")
    seen = slow_calls(f, monkeypatch)
    first, second = f(x, 3.0, "a"), f(x, 3.0, "a")
    assert seen == []
    assert first[0] is x and first[1].tolist() == [0.0, 3.0, 6.0] and first[2:4] == ("a", 5)
    assert type(first[4]) is np.float64 and first[4] == 3.0 and first[5] is None
    assert first[1] is not second[1] and first[1].flags.writeable and first[1].flags.owndata


def test_what_needs_python_still_works(monkeypatch: pytest.MonkeyPatch) -> None:
    f = ag.function(lambda x, y: x * 2 + y)
    x = np.arange(12.0).reshape(3, 4)
    f(x, x)
    f(x, x.copy())
    f(x.T.copy(), x.T.copy())
    seen = slow_calls(f, monkeypatch)
    np.testing.assert_array_equal(f(x.T, x.T.copy()), x.T * 3)
    with pytest.raises(ag.StagingError):
        f(x.astype(">f8"), x)
    assert len(seen) == 1
    np.testing.assert_array_equal(f(x, x), x * 3)
    assert len(seen) == 1


def test_which_arguments_are_one_array_matters() -> None:
    @ag.function
    def f(x, y):
        return (x + 1 if x is y else x - 1), y

    x = np.ones(2)
    for _ in range(3):
        assert f(x, x)[0].tolist() == [2.0, 2.0]
        assert f(x, x.copy())[0].tolist() == [0.0, 0.0]


def scaled(x):
    return x * SCALE


def test_changed_variables_are_seen_by_the_next_call(monkeypatch: pytest.MonkeyPatch) -> None:
    factor: Any = 2.0
    settings = {"bias": 1.0}

    @ag.function
    def f(x):
        return scaled(x) * factor + settings["bias"]

    one = np.float64(1.0)
    assert [f(one), f(one)] == [5.0, 5.0]
    monkeypatch.setitem(globals(), "SCALE", 3.0)
    assert [f(one), f(one)] == [7.0, 7.0]
    factor = 3.0
    assert [f(one), f(one)] == [10.0, 10.0]
    settings["bias"] = 2.0
    assert [f(one), f(one)] == [11.0, 11.0]


def test_autograph_disable_is_read_at_every_call(monkeypatch: pytest.MonkeyPatch) -> None:
    g = ag.function(lambda x: x + 1)
    x = np.float64(1.0)
    g(x)
    seen = slow_calls(g, monkeypatch)
    g(x)
    assert len(seen) == 0
    monkeypatch.setenv("AUTOGRAPH_DISABLE", "1")
    assert g(x) == g(x) == 2.0
    assert len(seen) == 2
    monkeypatch.delenv("AUTOGRAPH_DISABLE")
    g(x)
    assert len(seen) == 2


def test_errors_of_a_call_without_python(monkeypatch: pytest.MonkeyPatch) -> None:
    @ag.function
    def f(x, i):
        assert x.sum() >= 0, "negative"
        return x[i]

    x, i = np.ones(3), np.int64(1)
    f(x, i)
    seen = slow_calls(f, monkeypatch)
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 3") as index:
        f(x, np.int64(7))
    with pytest.raises(AssertionError, match="negative") as assertion:
        f(-x, i)
    assert seen == []
    for caught, line in ((index, "return x[i]"), (assertion, "assert x.sum() >= 0")):
        error: Any = caught.value
        assert not isinstance(error, ag.AutographError) and ag.errors.place_of(error) is not None
        assert traceback.extract_tb(error.__traceback__)[-1].line.startswith(line)
        assert caught.traceback[-1].path.name == "test_dispatch.py"


def test_ints_that_become_inputs() -> None:
    f = ag.function(lambda x, n: x * n)
    x = np.ones(2)
    assert [f(x, n).tolist() for n in (3, 3, 4, 3, 5, 4)] == [[n, n] for n in (3.0, 3.0, 4.0, 3.0, 5.0, 4.0)]
    assert [f(x, flag).tolist() for flag in (True, 1, False, 0)] == [[n, n] for n in (1.0, 1.0, 0.0, 0.0)]


def test_functions_are_collected() -> None:
    array = np.ones(2)

    def make() -> Any:
        def f(x):
            return f if x is None else x + array

        f = ag.function(f)
        f(array)
        f(array)
        return weakref.ref(f)

    reference = make()
    gc.collect()
    assert reference() is None


def test_several_threads_call_for_the_first_time_and_again() -> None:
    @ag.function
    def f(x, n):
        while x.sum() < n:
            x = x * 2
        return x

    start = threading.Barrier(8)
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            start.wait()
            for turn in range(60):
                size = 1 + (number + turn) % 4
                x, limit = np.full(size, 1.0 + number), np.float64(50 + turn)
                want = x
                while want.sum() < limit:
                    want = want * 2
                np.testing.assert_array_equal(f(x, limit), want)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_method_guards_what_it_reads_of_self() -> None:
    class Model:
        def __init__(self, rate: float) -> None:
            self.rate = rate

        @ag.function
        def step(self, x):
            return x * self.rate

        @ag.function
        def power(self, x, n):
            return x if n == 0 else x * self.power(x, n - 1)

    one, other, x = Model(2.0), Model(3.0), np.float64(2.0)
    for _ in range(3):
        assert one.step(x) == 4.0 and other.step(x) == 6.0
    one.rate = 5.0
    assert one.step(x) == 10.0 and other.step(x) == 6.0
    assert one.power(x, 3) == 16.0 and one.power(x, 3) == 16.0


def test_calls_with_an_input_signature_need_no_python(monkeypatch: pytest.MonkeyPatch) -> None:
    specs = [ag.ArraySpec((None, 2)), ag.ArraySpec((None, 2)), ag.ArraySpec((), np.float32)]
    staged = ag.function(lambda x, y, rate: (x + y, x.sum() * rate), input_signature=specs)
    rate = np.float32(0.5)
    staged(np.ones((3, 2)), np.ones((3, 2)), rate)
    seen = slow_calls(staged, monkeypatch)
    for size in (3, 0, 5, 1):
        x, y = np.ones((size, 2)), np.full((size, 2), 2.0)
        got, total = staged(x, y, rate)
        assert got.tolist() == (x + y).tolist() and got.shape == (size, 2) and total == size
    assert seen == []
    # What the signature makes something else, and the same array twice, is looked at in Python.
    assert staged(x, y, 0.5)[1] == 1.0 and staged(x, x, rate)[1] == 1.0
    assert len(seen) == 2
    for wrong in (np.ones(3), np.ones((3, 3)), np.ones((3, 2), np.float32)):
        with pytest.raises(ag.StagingError, match="AG126"):
            staged(wrong, wrong.copy(), rate)


def test_one_array_twice_in_open_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    staged = ag.function(lambda x, y: x @ y, input_signature=[ag.ArraySpec((None,))] * 2)
    first = np.ones(3)
    assert staged(first, first) == 3.0
    seen = slow_calls(staged, monkeypatch)
    second = np.ones(5)
    assert staged(second, second) == 5.0 and seen == []
