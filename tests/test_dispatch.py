"""Calls of compiled functions: those that need no Python give what the others give."""

from __future__ import annotations

import gc
import random
import threading
import traceback
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from call_shapes import (
    MARK,
    Model,
    Pair,
    Rows,
    is_number,
    loaded,
    mapped,
    paths,
    program,
    told,
    tree,
)

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


def outcome(call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a call gives or raises, told of the objects that were passed to it."""
    given = {
        id(leaf): path
        for name, value in (("args", args), ("kwargs", kwargs))
        for path, leaf in paths(value, name)
        if isinstance(leaf, np.ndarray) or leaf is MARK
    }
    try:
        return told(call(*args, **kwargs), given, {})
    except Exception as error:
        return type(error), str(error)


def is_error(told: Any) -> bool:
    return isinstance(told[0], type) and issubclass(told[0], Exception)


@pytest.mark.parametrize("seed", range(60))
def test_random_trees(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call gives what the slow way gives, and what Python gives; the second of a kind needs no Python."""
    chance = random.Random(seed)
    first = tree(chance, 3)
    function = loaded(program(first, chance), tmp_path, f"program_{seed}")
    staged = ag.function(function)
    seen = slow_calls(staged, monkeypatch)
    refused: list[Any] = []
    x = np.array([1.0, -2.0, 0.5])

    def check(p: Any, /, *args: Any, is_known: bool = False, **named: Any) -> None:
        want = outcome(function, (p, *args), named)
        before = len(seen)
        got = outcome(staged, (p, *args), named)
        reached = len(seen) - before
        if is_error(want):  # A program that does not fit the tree may be refused.
            assert is_error(got), (p, args, named)
            refused.append(p)
            return
        assert got == want, (p, args, named)
        assert not (is_known and reached), (p, args, named)
        if not refused:  # Afterwards objects of classes are tried as tables.
            slow = outcome(lambda *args, **named: staged._call(args, named), (p, *args), named)
            assert slow == want, (p, args, named)

    def renewed(p: Any) -> Any:
        """The same trees with other numbers; what is one array is one again."""
        made: dict[int, Any] = {}

        def fresh(one: Any) -> Any:
            is_changed = is_number(one) and type(one) is not int
            return made.setdefault(id(one), one + 1) if is_changed else one

        return mapped(p, fresh)

    def check_twice(p: Any) -> None:
        check(p, x)
        check(renewed(p), x.copy(), is_known=True)
        check(
            mapped(p, lambda one: one[::-1][::-1] if isinstance(one, np.ndarray) else one), x, is_known=True
        )
        # The keys of a dict are the same objects again, the containers are others.
        for call in ((p, x, 2.5), (p, x)):
            check(*call)
            check(*call, is_known=True)
            check(*call, k=2)
            check(*call, k=2, is_known=True)
        check(p, k=2, x=x)
        check(p, x=x, k=2)
        check(p, k=2, x=x.copy(), is_known=True)
        check(p, rate=0.5, x=x[::1])
        check(p, rate=0.75, x=x.copy(), is_known=True)
        for args, named in (
            ((p,), {"x": x, "y": 1}),
            ((p,), {"rate": 1.0}),
            ((p,), {"x": x, "p": p}),
            ((p, x, 1.0, 2), {}),
            ((), {}),
        ):
            assert outcome(staged, args, named) == outcome(function, args, named)

    check_twice(first)
    for kind in range(4):
        if kind == 0:  # One array in several places.
            same = np.array([3.0, 4.0, 5.0])
            other = mapped(
                first, lambda one: same if type(one) is np.ndarray and chance.random() < 0.7 else one
            )
        elif kind == 1:
            other = mapped(first, lambda one: one.astype(np.float32) if type(one) is np.ndarray else one)
        elif kind == 2:
            other = mapped(first, lambda one: np.float64(0.5) if type(one) is float else one)
        else:
            other = mapped(first, lambda one: 2.0 if one is None or one is True else one)
        check(other, x)
        check(renewed(other), x, is_known=not refused)
        check(first, x, is_known=True)
    # What looks like these trees is another one, and may be refused.
    smaller = mapped(first, lambda one: one[:2].copy() if type(one) is np.ndarray else one)
    for other in (smaller, [first], (first,), {"a": first}, Pair(first, first), Model(first), Rows([first])):
        again = ag.function(function)
        for p in (first, other, other, first):
            got, want = outcome(again, (p, x), {}), outcome(function, (p, x), {})
            assert (is_error(got) and is_error(want)) or (p is first and refused) or got == want
            refused += [p] if is_error(want) else []
        refused.clear()


MLP = [(np.full((3, 3), 0.1 * place), np.ones(3)) for place in range(4)]
MLP = [(np.full((3, 3), 0.1 * place), np.ones(3)) for place in range(4)]


def forward(params, x):
    for weights, bias in params:
        x = np.tanh(x @ weights + bias)
    return x


def test_the_parameters_of_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    @ag.function
    def step(params, x, *, rate=0.1):
        return [(w - rate * x.sum(), b * rate) for w, b in params], {"loss": forward(params, x).sum()}

    x = np.ones((2, 3))
    step(MLP, x)
    seen = slow_calls(step, monkeypatch)
    params: Any = MLP
    for _ in range(3):
        want, told_want = step.__wrapped__(params, x)
        params, told_got = step(params, x)
        np.testing.assert_allclose(told_got["loss"], told_want["loss"], rtol=1e-12)
        assert type(params) is list and type(params[0]) is tuple and type(told_got) is dict
        for got, wanted in zip(params, want, strict=True):
            np.testing.assert_array_equal(got[0], wanted[0])
    assert seen == []


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


@pytest.mark.parametrize(
    ("first", "others"),
    [
        ({"a": 1.0, "b": 2.0}, [{"b": 2.0, "a": 1.0}, {"a": 1.0}, {"a": 1.0, "b": 2.0, "c": 1.0}, {}]),
        ({1: 1.0, "b": 2.0}, [{2: 1.0, "b": 2.0}, {"1": 1.0, "b": 2.0}, {"b": 2.0, 1: 1.0}]),
        (
            [1.0, 2.0],
            [(1.0, 2.0), Rows([1.0, 2.0]), [1.0], [1.0, 2.0, 3.0], [[1.0, 2.0]], Pair(1.0, 2.0), []],
        ),
        ((), [[], {}, None, ((),)]),
        (Pair(1.0, 2.0), [Model(1.0, 2.0), (1.0, 2.0), Pair((1.0,), 2.0)]),
        (Model(1.0, 2.0), [Pair(1.0, 2.0), Model([1.0], 2.0), Model(1.0)]),
        ([None, "a", 1], [[None, "b", 1], [None, "a", 2], [True, "a", 1], ["a", "a", 1], [None, "a", 1.0]]),
    ],
)
def test_other_structures(first: Any, others: list[Any]) -> None:
    staged = ag.function(lambda p, x: (type(p).__name__, repr(p) if type(p) is dict else 0, x * 2))
    told_of = ag.function(lambda p, x: ([type(one).__name__ for one in p] if p else [], len(p or ()), x))
    x = np.ones(2)
    for function in (staged, told_of):
        for value in (first, first, *others, *others, first):
            if function is told_of and type(value) is Model:
                continue
            if function is staged and type(value) is dict:
                continue
            assert outcome(function, (value, x), {}) == outcome(function.__wrapped__, (value, x), {})


def test_classes_that_are_changed_later(monkeypatch: pytest.MonkeyPatch) -> None:
    class Layer(Pair):
        pass

    @dataclass
    class Net:
        rate: Any
        layer: Any

    staged = ag.function(lambda net, x: x * net.rate + net.layer.first * net.layer.second)
    x = np.ones(2)

    def check(net: Any, reached: int) -> None:
        seen.clear()
        got = staged(net, x)
        assert len(seen) == reached
        np.testing.assert_array_equal(got, staged._call((net, x), {}))

    staged(Net(2.0, Layer(x, x)), x)
    seen = slow_calls(staged, monkeypatch)
    check(Net(3.0, Layer(x + 1, x + 1)), 1)  # Other arrays are two.
    check(Net(3.0, Layer(x + 1, x + 2)), 0)
    Net.rate = property(lambda self: 7.0, lambda self, value: None)
    net = Net(3.0, Layer(x + 1, x + 2))
    seen.clear()
    assert staged(net, x)[0] == 7.0 + 6.0 and len(seen) == 1
    del Net.rate
    Net.__getattribute__ = lambda self, name: 4.0 if name == "rate" else object.__getattribute__(self, name)
    assert staged(Net(3.0, Layer(x + 1, x + 2)), x)[0] == 4.0 + 6.0
    del Net.__getattribute__
    assert staged(Net(3.0, Layer(x + 1, x + 2)), x)[0] == 3.0 + 6.0
    seen.clear()
    Layer.__iter__ = lambda self: iter((x, x * 5))
    staged(Net(3.0, Layer(x + 1, x + 2)), x)
    assert len(seen) == 1
    del Layer.__iter__
    net = Net(3.0, Layer(x + 1, x + 2))
    del net.rate
    with pytest.raises(AttributeError):
        staged(net, x)


def test_what_is_given_back_is_the_callers(monkeypatch: pytest.MonkeyPatch) -> None:
    @ag.function
    def f(params, x):
        shared = [x * 2]
        shared.append(shared)
        return {"whole": params, "rows": (shared, shared), "x": x, 1: params["w"]}

    params, x = {"w": np.ones(2)}, np.ones(3)
    for _ in range(3):
        got = f(params, x)
        assert got["whole"] is params and got["x"] is x and got[1] is params["w"]
        assert got["rows"][0] is got["rows"][1] and got["rows"][0][1] is got["rows"][0]


def test_a_tuple_that_holds_itself() -> None:
    @ag.function
    def f(x):
        inner = []
        made = (x, inner)
        inner.append(made)
        return made

    for _ in range(2):
        with pytest.raises(ag.StagingError, match="holds itself"):
            f(np.ones(2))


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


def test_guards_of_calls_with_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    @ag.function
    def f(params, *, x):
        return [scaled(one) for one in params], x

    params, x = [np.float64(1.0), np.float64(2.0)], np.ones(1)
    f(params, x=x)
    seen = slow_calls(f, monkeypatch)
    assert f(params, x=x)[0] == [2.0, 4.0] and seen == []
    monkeypatch.setitem(globals(), "SCALE", 3.0)
    assert f(params, x=x)[0] == [3.0, 6.0] == f(params, x=x)[0]
    assert len(seen) == 1


def test_errors_of_calls_with_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    @ag.function
    def f(params, i=0):
        return {"at": params["x"][i]}

    f({"x": np.ones(3)}, i=np.int64(1))
    seen = slow_calls(f, monkeypatch)
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 3") as caught:
        f({"x": np.ones(3)}, i=np.int64(7))
    assert seen == [] and len(caught.traceback) == 2
    assert traceback.extract_tb(caught.value.__traceback__)[-1].line.startswith('return {"at"')


def test_forced_arguments_in_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x, config, n=1):
        return x * config["rate"] * n

    staged = ag.function(f, static="config", dynamic="n")
    x = np.ones(2)
    seen = slow_calls(staged, monkeypatch)
    for rate in (0.5, 0.25, 0.5):
        config = {"rate": rate}
        for n in (1, 2, 3):
            np.testing.assert_array_equal(staged(x, config, n=n), f(x, config, n=n))
            np.testing.assert_array_equal(staged(x, config), f(x, config))
    assert len(staged.signatures()) == 2 and 0 < len(seen) < 18


def test_an_input_signature_of_a_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    specs = [{"w": ag.ArraySpec((None,)), "rate": float}, ag.ArraySpec((None,))]
    staged = ag.function(lambda p, x: {"r": p["w"] * p["rate"] + x}, input_signature=specs)
    staged({"w": np.ones(3), "rate": 0.5}, np.ones(3))
    seen = slow_calls(staged, monkeypatch)
    assert staged({"w": np.ones(2), "rate": 2.0}, np.ones(2))["r"].tolist() == [3.0, 3.0]
    assert staged({"w": np.ones(2), "rate": 2.0}, x=np.ones(2))["r"].tolist() == [3.0, 3.0]
    assert len(seen) == 1
    assert staged({"w": np.ones(2), "rate": 2}, np.ones(2))["r"].tolist() == [3.0, 3.0]
    assert len(seen) == 2
    with pytest.raises(ag.StagingError, match="AG126"):
        staged({"w": np.ones(2, np.float32), "rate": 2.0}, np.ones(2))


def test_many_leaves_and_which_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    @ag.function
    def f(params):
        return sum(params), [one is params[0] for one in params]

    arrays = [np.full(2, float(place)) for place in range(40)]
    f(arrays)
    seen = slow_calls(f, monkeypatch)
    assert f([one + 1 for one in arrays])[0].tolist() == [820.0, 820.0] and seen == []
    again = [*arrays[:20], *arrays[:20]]
    for _ in range(2):
        total, are_one = f(again)
        assert total.tolist() == [380.0, 380.0] and [place for place, one in enumerate(are_one) if one] == [
            0,
            20,
        ]
    assert len(seen) == 1


def test_there_is_an_end_to_the_ways_of_writing_a_call() -> None:
    staged = ag.function(lambda x, **named: x + sum(named.values()))
    x = np.ones(2)
    for _ in range(2):
        for count in range(150):
            name = f"n{count}"
            assert staged(x, **{name: float(count)}).tolist() == [1.0 + count] * 2


def test_two_threads_call_with_trees() -> None:
    @ag.function
    def f(params, *, x, rate=1.0):
        return {"r": [(w * x * rate, w) for w in params["w"]]}

    start, failures = threading.Barrier(2), []

    def work(number: int) -> None:
        try:
            start.wait()
            for turn in range(300):
                size = 1 + (number + turn) % 3
                weights = [np.full(size, number + 1.0), np.full(size, float(turn))]
                got = f({"w": weights}, x=np.ones(size), **({"rate": 2.0} if turn % 2 else {}))
                for (product, weight), given in zip(got["r"], weights, strict=True):
                    assert (
                        weight is given and product.tolist() == (given * (2.0 if turn % 2 else 1.0)).tolist()
                    )
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_functions_with_trees_are_collected() -> None:
    def make() -> list[Any]:
        @dataclass
        class Net:
            w: Any

        class Key:
            owner: Any = None

        def f(net, x, key=Net(np.ones(2)), *, more=None):
            return Net(net.w * x), {mark: f}

        mark = Key()
        f = staged = ag.function(f)
        mark.owner = staged
        for _ in range(3):
            staged(Net(np.ones(2)), x=np.ones(2))
        return [weakref.ref(staged), weakref.ref(mark)]

    references = make()
    gc.collect()
    assert [one() for one in references] == [None, None]


def test_a_gradient_of_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    gradient = ag.grad(lambda params, x, rate=1.0: (forward(params, x) * rate).sum())
    x = np.ones((2, 3))
    first = gradient(MLP, x=x)
    staged = gradient.staged()
    seen = slow_calls(staged, monkeypatch)
    second = gradient(MLP, x=x)
    assert seen == [] and type(second) is list
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one[0], other[0])
    np.testing.assert_allclose(gradient(MLP, x, rate=2.0)[0][0], first[0][0] * 2)
