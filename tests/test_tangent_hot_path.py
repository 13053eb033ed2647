"""Which text a call of a derivative runs, and what stays as it is where there are several."""

from __future__ import annotations

import gc
import inspect
import pickle
import sys
import threading
import weakref
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph import tangent
from autograph._src.prologue import IS_SERVED
from autograph._src.tangent import known
from autograph._src.tangent.forms import hot_path
from tangent_checks import is_same
from tangent_forms import Held, faults_of, general_of, is_open, texts_of

pytestmark = pytest.mark.skipif(not IS_SERVED, reason="this interpreter's bytecode is not known")


@pytest.fixture(autouse=True)
def not_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coverage and debuggers of the tests are none of a user's."""
    monkeypatch.setattr(hot_path, "is_watched", lambda: False)


def layer(x: Any, w: Any, b: Any) -> Any:
    return np.tanh(np.dot(x, w) + b)


def made(**options: Any) -> Any:
    """A function that nothing else has differentiated, and its gradient."""

    def loss(w: Any, b: Any, x: Any, scale: float = 0.5, *, power: int = 2) -> Any:
        """A loss."""
        return np.sum(layer(x, w, b) ** 2) * scale * power

    return tangent.grad(loss, **{"wrt": ("w", "b"), **options})


def arguments(rows: int = 5, dtype: Any = float) -> tuple[Any, ...]:
    draws = np.random.default_rng(rows)
    shapes = ((3, 2), (2,), (rows, 3))
    return tuple(draws.normal(size=shape).astype(dtype) for shape in shapes)


def test_the_first_call_makes_a_text_and_the_second_runs_it() -> None:
    derivative = made()
    assert not texts_of(derivative)
    first = derivative(*arguments())
    (text,) = texts_of(derivative)
    assert is_same(derivative(*arguments()), first)
    assert is_same(general_of(derivative)(*arguments()), first)
    assert text.__code__.co_filename != derivative.__code__.co_filename
    assert len(texts_of(derivative)) == 1


def test_two_forms_in_turns() -> None:
    derivative = made()
    faults = faults_of(derivative, [arguments(4), arguments(6)] * 3)
    assert not faults
    assert len(texts_of(derivative)) == 2


def test_a_fifth_form_runs_the_general_text() -> None:
    derivative = made()
    assert not faults_of(derivative, [arguments(rows) for rows in range(2, 9)] * 2)
    assert len(texts_of(derivative)) == hot_path.MOST_TEXTS
    assert not is_open(derivative)


def test_other_classes_have_no_text() -> None:
    derivative = made()
    w, b, x = arguments()
    derivative(w, b, x)
    others = [
        (w.view(Held), b, x),
        (w, b, x, np.float64(0.5)),
        (w, b, x.tolist()),
        (w.astype(np.float32), b, x),
        (w.astype(">f8"), b, x),
        (np.asfortranarray(w), b, x[::-1]),
        (w, b, x, 1),
        (w, b, x, True),
    ]
    assert not faults_of(derivative, others)
    assert not faults_of(derivative, [(w, b, x), *others])


def test_calls_by_keyword_and_defaults() -> None:
    derivative, general = made(), None
    general = general_of(derivative)
    w, b, x = arguments()
    calls: list[dict[str, Any]] = [
        {},
        {"scale": 0.25},
        {"power": 3},
        {"scale": 0.25, "power": 3},
        {"by": 2.0},
        {"by": np.float64(2.0), "power": 1},
    ]
    for keywords in calls * 2:
        assert is_same(derivative(w, x=x, b=b, **keywords), general(w, b, x, **keywords))
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        derivative(w, b)
    with pytest.raises(TypeError, match="unexpected keyword"):
        derivative(w, b, x, other=1)


def test_errors_are_those_of_the_general_text() -> None:
    derivative = made()
    w, b, x = arguments()
    derivative(w, b, x)
    wrong = [(w[:2], b, x), (w, np.ones(5), x), (w, b, x[0, 0]), (w, b, "x"), (w, b, x, None)]
    assert not faults_of(derivative, wrong * 2)
    for options in ({}, {"check_dims": False}):
        product = tangent.grad(layer, wrt="w", **options)
        seeds = [np.ones((5, 2)), np.ones((4, 2)), np.ones(2), 1.0, np.ones((5, 1)), [[1.0, 2.0]] * 5]
        assert not faults_of(product, [(x, w, b, seed) for seed in seeds * 2])


def test_the_function_is_one_object_with_the_general_text() -> None:
    derivative = made()
    before = (
        inspect.getsource(derivative),
        str(inspect.signature(derivative)),
        tangent.to_source(derivative),
    )
    names = (derivative.__code__.co_varnames, derivative.__code__.co_firstlineno)
    derivative(*arguments())
    after = (inspect.getsource(derivative), str(inspect.signature(derivative)), tangent.to_source(derivative))
    assert after == before
    assert (derivative.__code__.co_varnames, derivative.__code__.co_firstlineno) == names
    assert "unbroadcast" in after[0] + after[2]


def test_the_text_for_forms() -> None:
    derivative = made()
    text = tangent.to_source(derivative, forms=arguments())
    assert "bdot_x_w = btotal\n    bb = btotal.sum(axis=0)\n" in text
    assert "as_gradient" not in text
    w, b, x = arguments()
    assert tangent.to_source(derivative, forms={"w": w, "x": x, "b": b, "power": 2}) == text
    unknown = tangent.to_source(derivative, forms=([[1.0]], [1.0], [[1.0]]))
    assert unknown == tangent.to_source(derivative)
    with pytest.raises(TypeError, match="missing a required argument"):
        tangent.to_source(derivative, forms=(w,))
    with pytest.raises(ValueError, match="for all forms"):
        tangent.to_source(derivative, forms=(w, b, x), standalone=True)


def test_a_file_has_the_general_text(tmp_path: Path) -> None:
    derivative = made()
    before = tangent.to_source(derivative, standalone=True)
    derivative(*arguments())
    tangent.save(derivative, tmp_path / "alone.py")
    assert (tmp_path / "alone.py").read_text() == before


def cubed() -> Any:
    """A function that nothing else has differentiated."""

    def power(x: Any, w: Any) -> Any:
        return np.sum(x * x * x * w)

    return power


def test_derivatives_of_derivatives_are_those_of_the_general_text() -> None:
    x, w = np.array([1.0, 2.0]), np.array([0.5, 3.0])
    fresh, called = tangent.grad(cubed()), tangent.grad(cubed())
    called(x, w)
    assert texts_of(called)
    assert not texts_of(fresh)
    for make in (tangent.vjp, tangent.jvp):
        assert tangent.to_source(make(called)) == tangent.to_source(make(fresh))
    for _ in range(3):
        assert np.allclose(tangent.vjp(called)(x, w, by_1=np.ones(2)), 6 * x * w)
        assert np.allclose(tangent.jvp(called)(x, w, dx=np.ones(2)), 6 * x * w)


def test_a_staged_derivative_is_that_of_the_general_text() -> None:
    derivative = made()
    w, b, x = arguments()
    wanted = general_of(derivative)(w, b, x)
    staged = ag.function(derivative)
    for _ in range(2):
        for found in (staged(w, b, x), derivative(w, b, x)):
            assert all(np.allclose(*pair, rtol=1e-12) for pair in zip(found, wanted, strict=True))
    assert texts_of(derivative)
    again = ag.function(derivative)
    assert all(np.allclose(*pair, rtol=1e-12) for pair in zip(again(w, b, x), wanted, strict=True))


def test_a_debugger_has_the_general_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    derivative = made()
    lines = []

    def trace(frame: Any, event: str, _: object) -> Any:
        if event == "line" and frame.f_code.co_filename == derivative.__code__.co_filename:
            lines.append(frame.f_lineno)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        derivative(*arguments())
        derivative(*arguments())
    finally:
        sys.settrace(before)
    assert not texts_of(derivative)
    assert lines[0] == 2
    assert len(lines) > 10


@pytest.mark.skipif(sys.version_info < (3, 12), reason="`sys.monitoring` is new in 3.12")
def test_a_tool_of_monitoring_has_the_general_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monitoring = sys.modules["sys"].monitoring  # type: ignore[attr-defined]
    if monitoring.get_tool(monitoring.COVERAGE_ID) is None:
        monitoring.use_tool_id(monitoring.COVERAGE_ID, "test")
        try:
            derivative = made()
            derivative(*arguments())
            assert not texts_of(derivative)
        finally:
            monitoring.free_tool_id(monitoring.COVERAGE_ID)


def test_numbers_alone_leave_no_test_behind() -> None:
    def squared(x: Any) -> Any:
        return x * x

    derivative = tangent.grad(squared)
    code = general_of(derivative).__code__
    for _ in range(hot_path.MOST_CALLS + 2):
        assert derivative([1.0][0]) == 2.0
        assert derivative(True) == 2.0
        assert derivative(3) == 6.0
    assert texts_of(derivative) or derivative.__code__ is code


class Net:
    def __init__(self, w: Any) -> None:
        self.w = w

    def loss(self, x: Any, v: Any) -> Any:
        return np.sum(np.tanh(np.dot(x, self.w)) * v + v)


def test_methods() -> None:
    net = Net(arguments()[0])
    derivative = tangent.grad(net.loss, wrt="v")
    x, v = arguments()[2], arguments()[1]
    wanted = general_of(derivative)(net, x, v)
    for _ in range(3):
        assert is_same(derivative(x, v), wanted)
    assert "def " in tangent.to_source(derivative, forms=(x, v))


def spread(x: Any, *others: Any, **named: Any) -> Any:
    return np.sum(x * 2.0) + len(others) + len(named)


def test_open_parameters_have_the_general_text() -> None:
    derivative = tangent.grad(spread)
    for _ in range(3):
        assert np.array_equal(derivative(np.ones(2), 1.0, a=3), np.full(2, 2.0))
    assert not texts_of(derivative)
    assert tangent.to_source(derivative, forms=(np.ones(2),)) == tangent.to_source(derivative)


dmodule = tangent.grad(layer, wrt="w")
dmodule.__qualname__ = "dmodule"


def test_what_pickle_did_it_does() -> None:
    w, b, x = arguments()
    dmodule(x, w, b, np.ones((5, 2)))
    dmodule.__name__ = "dmodule"
    assert pickle.loads(pickle.dumps(dmodule)) is dmodule


def scaled(x: Any, factor: float = 2.0) -> Any:
    return x * factor + x


def test_names_and_defaults_that_change_later(monkeypatch: pytest.MonkeyPatch) -> None:
    def loss(x: Any) -> Any:
        return np.sum(scaled(x) * scaled(x))

    derivative = tangent.grad(loss)
    general = general_of(derivative)
    monkeypatch.setattr(scaled, "__defaults__", (3.0,))
    derivative.__name__ = "gradient"
    x = np.ones((2, 3))
    for _ in range(3):
        assert np.array_equal(derivative(x), general(x))
    assert texts_of(derivative)
    assert tangent.to_source(derivative, forms=(x,)) != tangent.to_source(derivative)


def through_rows(x: Any, w: Any) -> Any:
    total = 0.0
    h = x[0]
    for i in range(len(x)):
        h = np.tanh(np.dot(h, w) + x[i])
        total = total + np.sum(h * w[i])
    return total


def test_builtins_that_a_module_binds_later(monkeypatch: pytest.MonkeyPatch) -> None:
    x, w = arguments()[0], np.ones((2, 2))
    x = np.vstack([x, x])[:2]
    derivative = tangent.grad(through_rows, wrt=("x", "w"))
    assert not faults_of(derivative, [(x, w)] * 2)
    assert texts_of(derivative)
    text = tangent.to_source(derivative, forms=(x, w))
    assert "unbroadcast" not in text
    given: list[Any] = []

    def fewer(*counts: Any) -> Any:
        given.append(counts)
        return [np.int64(one) for one in range_of(*counts)]

    range_of = range
    monkeypatch.setitem(globals(), "range", fewer)
    assert not faults_of(derivative, [(x, w)] * 2)
    assert given
    assert tangent.to_source(derivative, forms=(x, w)) != text
    monkeypatch.undo()
    monkeypatch.setattr(hot_path, "is_watched", lambda: False)
    assert not faults_of(derivative, [(x, w)] * 2)


def test_a_derivative_is_freed_with_its_function() -> None:
    derivative = made()
    derivative(*arguments())
    held = weakref.ref(derivative)
    known._known.clear()  # It keeps what it has made.
    del derivative
    gc.collect()
    assert held() is None


def test_threads_make_a_text_once() -> None:
    derivative = made()
    wanted = general_of(derivative)(*arguments())
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(derivative(*arguments()))) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(found) == 8
    assert all(is_same(one, wanted) for one in found)
    assert len(texts_of(derivative)) == 1


def test_an_exception_is_told_at_the_line_of_its_text() -> None:
    derivative = made()
    w, b, x = arguments()
    derivative(w, b, x)
    (text,) = texts_of(derivative)
    with np.errstate(all="raise"), pytest.raises(FloatingPointError) as raised:
        derivative(w * 1e200, b, x * 1e200)
    names = [entry.path for entry in raised.traceback]
    assert text.__code__.co_filename in map(str, names)
