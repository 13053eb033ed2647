"""Calls with trees of arguments and results that need no Python give what the others give."""

from __future__ import annotations

import gc
import random
import threading
import traceback
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from call_shapes import (
    Model,
    Pair,
    Rows,
    is_error,
    is_number,
    loaded,
    mapped,
    outcome,
    program,
    slow_calls,
    tree,
)

SCALE = 2.0


def scaled(x):
    return x * SCALE


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


@pytest.mark.parametrize("first", [1, True, 1.0, np.int64(1), (1,), (True,), 0.0, -0.0, "1"])
def test_keys_that_are_equal_and_of_other_types_are_others(first: Any) -> None:
    def f(d: Any) -> Any:
        return [(type(key).__name__, str(key), value * 2) for key, value in d.items()]

    staged = ag.function(f)
    staged({first: 1.0})
    for key in (1, True, 1.0, np.int64(1), (1,), (True,), 0.0, -0.0, "1"):
        for _ in range(3):  # Traced, found, and called without Python.
            assert staged({key: 2.0}) == f({key: 2.0})
