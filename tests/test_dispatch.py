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
from call_shapes import is_error, outcome, slow_calls

SCALE = 2.0


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
            for turn in [302]:
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


def test_replaced_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x, rate=2.0, *, more=(1.0, 3)):
        return x * rate + more[0] * more[1]

    staged = ag.function(f)
    x = np.ones(2)
    seen = slow_calls(staged, monkeypatch)

    def check(reached: int) -> None:
        for call in (lambda g: g(x), lambda g: g(x, more=(2.0, 3)), lambda g: g(x=x, rate=4.0)):
            call(staged)
            seen.clear()
            np.testing.assert_array_equal(call(staged), call(f))
            assert len(seen) == 0
        seen.clear()

    check(0)
    f.__defaults__ = (5.0,)
    np.testing.assert_array_equal(staged(x), f(x))
    assert len(seen) == 1
    check(0)
    assert f.__kwdefaults__ is not None
    f.__kwdefaults__["more"] = (7.0, 3)
    np.testing.assert_array_equal(staged(x), f(x))
    assert len(seen) == 1
    check(0)
    f.__kwdefaults__ = {"more": [8.0, 4]}
    check(0)
    f.__kwdefaults__["more"][0] = 9.0  # What a default holds is looked at by every call.
    check(0)
    for defaults, named in (((), {"more": (1.0, 3)}), ((1.0,), {}), (None, None)):
        f.__defaults__, f.__kwdefaults__ = defaults, named
        for args, kwargs in (((x,), {}), ((x, 2.0), {}), ((), {"x": x, "rate": 1.0})):
            assert outcome(staged, args, kwargs) == outcome(f, args, kwargs)


def positional_only(x, rate, /, more=1.0, *rest, scale=2.0, **named):
    return x * rate + more * scale, rest, named


def test_all_kinds_of_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    staged = ag.function(positional_only)
    x, y = np.ones(2), np.arange(2.0)
    calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((x, 2.0), {}),
        ((x, 2.0, 3.0), {}),
        ((x, 2.0, 3.0, y, [y]), {}),
        ((x, 2.0), {"scale": 1.0}),
        ((x, 2.0), {"rate": y, "x": 2.0}),
        ((x, 2.0), {"x": 2.0, "rate": y}),
        ((x, 2.0), {"more": 4.0, "é": (y,)}),
        ((x, 2.0, 3.0, y), {"deep": {"a": [y, None]}, "scale": 3.0}),
    ]
    for _ in range(2):
        for args, kwargs in calls:
            assert outcome(staged, args, kwargs) == outcome(positional_only, args, kwargs)
    seen = slow_calls(staged, monkeypatch)
    for args, kwargs in calls:
        assert outcome(staged, args, kwargs) == outcome(positional_only, args, kwargs)
    assert len(seen) == 3  # They give back containers of the caller's.
    for args, kwargs in (((x,), {}), ((x,), {"rate": 1.0}), ((), {}), ((x, 2.0, 3.0), {"more": 1.0})):
        assert outcome(staged, args, kwargs) == outcome(positional_only, args, kwargs)
    weird: Any = {"a b": y, "\ud800": y}
    for _ in range(2):
        assert list(staged(x, 2.0, **weird)[2]) == list(weird)


def test_a_call_that_does_not_fit_says_what_python_says() -> None:
    class Scaler:
        def __init__(self) -> None:
            self.rate = 2.0

        def plain(self, x, *, by):
            return x * self.rate * by

        staged = ag.function(plain)

        @classmethod
        def of_class(cls, x):
            return x * 2

        staged_of_class = ag.function(of_class)

    one, x = Scaler(), np.ones(2)
    pairs = [
        (one.staged, one.plain),
        (one.staged_of_class, one.of_class),
        (Scaler.staged_of_class, Scaler.of_class),
        (ag.function(one.plain), one.plain),
        (ag.function(lambda x, y=1.0: x * y), None),
    ]
    calls: Any = [((), {}), ((x,), {}), ((x,), {"bye": 1}), ((x, x, x), {}), ((x,), {"x": x}), ((x,), {1: x})]
    for staged, plain in pairs:
        for args, kwargs in calls:
            want = outcome(plain or staged.__wrapped__, args, kwargs)
            assert outcome(staged, args, kwargs) == want
            if is_error(want):
                with pytest.raises(TypeError) as caught:
                    staged(*args, **kwargs)
                assert caught.value.__context__ is None and len(caught.traceback) == 1


def test_arrays_of_any_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x, y):
        return x * 2 + y, x.sum(axis=0), x

    staged = ag.function(f)
    y = np.arange(12.0).reshape(3, 4)
    staged(y.copy(), y)
    seen = slow_calls(staged, monkeypatch)
    raw = np.zeros(12 * 8 + 1, np.uint8)
    unaligned = raw[1:].view(np.float64).reshape(3, 4)
    unaligned[:] = y
    frozen = y.copy()
    frozen.flags.writeable = False
    layouts = [
        np.arange(12.0).reshape(4, 3).T,
        np.asfortranarray(y),
        np.arange(48.0).reshape(6, 8)[::2, ::-2],
        np.broadcast_to(np.arange(4.0), (3, 4)),
        unaligned,
        frozen,
        np.zeros((3, 4), [("a", "u1"), ("b", "f8")])["b"],
    ]
    for x in layouts:
        kept = x.copy()
        got, want = staged(x, y), f(x, y)
        slow = staged._call((x, y), {})
        for one, other, third in zip(got, want, slow, strict=True):
            assert one.tolist() == other.tolist() == third.tolist()
        assert got[2] is x and (x == kept).all() and got[0].flags.c_contiguous and got[0].flags.owndata
    assert len(seen) == len(layouts)  # The slow calls of the test itself.


def test_there_is_an_end_to_the_ways_of_writing_a_call() -> None:
    staged = ag.function(lambda x, **named: x + sum(named.values()))
    x = np.ones(2)
    for _ in range(2):
        for count in range(150):
            name = f"n{count}"
            assert staged(x, **{name: float(count)}).tolist() == [1.0 + count] * 2
