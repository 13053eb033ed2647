"""``ag.Variable``: state, read and assigned in order, by several functions, in branches and loops.

The programs are run as they are, staged, and by the reference interpreter.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

KEPT = None


def outcomes(program: Callable[..., Any], *calls: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
    """What the calls give as they are and staged: results and the state after each."""

    def run(function: Any, state: list[ag.Variable]) -> list[Any]:
        seen = []
        for call in calls:
            seen.append(function(*state, *call))
            seen += [variable.value for variable in state]
        return [np.asarray(one).tolist() for one in seen]

    states = [[ag.Variable(1.0), ag.Variable(np.arange(3.0))] for _ in range(2)]
    return run(program, states[0]), run(ag.function(program), states[1])


def reads_and_assigns(v: Any, w: Any, x: Any) -> Any:
    before = v.value
    v.assign(x)
    w.assign_add(v * np.ones(3))
    return before + v + np.sum(w)


def in_a_branch(v: Any, w: Any, x: Any) -> Any:
    if x > 0:
        v.assign_add(x)
    else:
        w.assign(w * 2)
        v.assign_sub(1)
    return v.value


def in_a_loop(v: Any, w: Any, x: Any) -> Any:
    steps = 0
    while v < x:
        v.assign_add(v)
        w.assign(w + np.array([1.0, 0.0, 2.0]))
        steps += 1
    return steps


def decides(v: Any, w: Any, x: Any) -> Any:
    if v:
        v.assign(x - 1)
    count = 0
    for item in w:
        if item and not v:
            count += 1
    return count + (1 if v else 2) + (v and 3) + len(w) + w[-1] + max(v, 2.0) + abs(v)


def as_arrays(v: Any, w: Any, x: Any) -> Any:
    stacked = np.stack([w, w + v]) * x
    return np.dot(w, w) + stacked.sum() + w.mean() + (-w)[0] + (v == 1.0) + np.maximum(w, v)[1]


@pytest.mark.parametrize("program", [reads_and_assigns, in_a_branch, in_a_loop, decides, as_arrays])
def test_programs_mean_what_they_mean_unstaged(program: Callable[..., Any]) -> None:
    calls = [(np.float64(x),) for x in (3.0, -2.0, 40.0, 1.0)]
    plain, staged = outcomes(program, *calls)
    assert staged == plain


def test_the_interpreter_agrees() -> None:
    v = ag.Variable(1.0)

    def grow(x: Any) -> Any:
        while v < x:
            v.assign_add(v)
        return v.value

    concrete = ag.function(grow).concrete_function(np.float64(5.0))
    assert concrete.interpret([np.float64(5.0)]) == 8.0 and v.value == 8.0
    assert concrete([np.float64(20.0)]) == 32.0 and v.value == 32.0


def test_functions_share_a_variable() -> None:
    count = ag.Variable(0, name="count")

    @ag.function
    def up(n: Any) -> Any:
        count.assign_add(n)

    @ag.function
    def doubled() -> Any:
        up(3)
        return count * 2

    up(np.int64(2))
    assert doubled() == 10 and count.value == 5
    count.assign(0)
    assert doubled() == 6


def test_the_articles_three_variants() -> None:
    """ "From eager to tf.function": as an argument, as a global variable, in an object."""

    @ag.function
    def argument(b: Any) -> Any:
        return np.array([[10.0, 10.0], [11.0, 1.0]]) @ np.array([[1.0, 0.0], [0.0, 1.0]]) + b

    @ag.function
    def kept() -> Any:
        global KEPT
        if KEPT is None:
            KEPT = ag.Variable(12.0)
        return np.array([[10.0, 10.0], [11.0, 1.0]]) @ np.array([[1.0, 0.0], [0.0, 1.0]]) + KEPT

    class Layer:
        def __init__(self) -> None:
            self._b = None

        @ag.function
        def __call__(self) -> Any:
            if self._b is None:
                self._b = ag.Variable(12.0)
            self._b.assign_add(1.0)
            return np.array([[10.0, 10.0], [11.0, 1.0]]) @ np.array([[1.0, 0.0], [0.0, 1.0]]) + self._b

    expected = np.array([[22.0, 22.0], [23.0, 13.0]])
    assert np.array_equal(argument(ag.Variable(12.0)), expected)
    assert np.array_equal(kept(), expected) and np.array_equal(kept(), expected)
    assert isinstance(KEPT, ag.Variable) and len(kept.signatures()) == 1
    layer = Layer()
    assert np.array_equal(layer(), expected + 1) and np.array_equal(layer(), expected + 2)
    assert layer._b.value == 14.0
    other = Layer()
    assert np.array_equal(other(), expected + 1) and layer._b.value == 14.0


def test_a_variable_made_at_every_call_is_refused() -> None:
    @ag.function
    def f() -> Any:
        b = ag.Variable(12.0)
        return b + 1

    with pytest.raises(ag.StagingError) as caught:
        f()
    assert "error[AG125]: a variable is made at every call" in str(caught.value)
    assert caught.value.help is not None and "pass it as an argument" in caught.value.help
    assert caught.value.location is not None and caught.value.location.function == "f"


@pytest.mark.parametrize("where", ["branch", "value"])
def test_a_variable_that_depends_on_data_is_refused(where: str) -> None:
    kept = []

    def in_branch(x: Any) -> Any:
        if x > 0:
            kept.append(ag.Variable(0.0))
        return x

    def of_data(x: Any) -> Any:
        return ag.Variable(x) + 1

    with pytest.raises(ag.StagingError, match="AG125"):
        ag.function(in_branch if where == "branch" else of_data)(np.float64(1.0))


def test_the_article_counts() -> None:
    a = ag.Variable(0)

    @ag.function
    def g(x: Any) -> Any:
        x.assign_add(1)
        return x

    assert [str(g(a)) for _ in range(3)] == ["1", "2", "3"]
    assert g(a) is a


def test_many_variables_are_traced_once() -> None:
    weights = [ag.Variable(np.full(3, float(i)), name=f"w{i}") for i in range(20)]
    runs = []

    @ag.function
    def step(rate: Any) -> Any:
        runs.append(1)
        total = 0.0
        for w in weights:
            total = total + np.sum(w)
            w.assign_sub(rate * w)
        return total

    assert step(np.float64(0.0)) == 570.0
    assert runs == [1]  # It outlives the call, and each run writes it.

    @ag.function
    def clean(rate: Any) -> Any:
        total = 0.0
        for w in weights:
            total = total + np.sum(w)
            w.assign_sub(rate * w)
        return total

    assert clean(np.float64(0.5)) == 570.0
    assert clean(np.float64(0.5)) == 285.0
    assert weights[19].value.tolist() == [4.75] * 3


def test_a_run_that_raises_has_assigned_what_came_before() -> None:
    v = ag.Variable(1.0)

    @ag.function
    def f(x: Any) -> Any:
        v.assign(x)
        assert x > 0
        v.assign(x * 2)
        return v.value

    assert f(np.float64(3.0)) == 6.0
    with pytest.raises(AssertionError):
        f(np.float64(-3.0))
    assert v.value == -3.0


def test_print_and_text(capsys: pytest.CaptureFixture[str]) -> None:
    v = ag.Variable(1.5)

    def f(x: Any) -> Any:
        print("v is", v)
        v.assign_add(x)
        print(f"v is {v:.3f}")
        return x

    f(np.float64(1.0))
    plain = capsys.readouterr().out
    v.assign(1.5)
    ag.function(f)(np.float64(1.0))
    assert capsys.readouterr().out == plain == "v is 1.5\nv is 2.500\n"


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (np.ones(2), ValueError, "the variable has shape (), and the value (2,)"),
        (1.5, TypeError, "the variable has dtype int64, and the value float64"),
    ],
)
def test_values_that_do_not_fit(value: Any, error: type[Exception], text: str) -> None:
    v = ag.Variable(0)

    def f(x: Any) -> Any:
        v.assign(x)

    for function in (f, ag.function(f)):
        with pytest.raises(error) as caught:
            function(value)
        assert str(caught.value).startswith(text)
        assert v.value == 0
    v.assign(np.int32(3)).assign_add(True)
    assert v.value == 4


def test_operators_in_place_are_refused() -> None:
    v = ag.Variable(0)

    def f() -> Any:
        other = v
        other += 1
        return other

    for function in (f, ag.function(f)):
        with pytest.raises(TypeError, match="is changed by `assign`"):
            function()


def test_repr_and_attributes() -> None:
    assert repr(ag.Variable(2)) == "Variable(2)"
    assert repr(ag.Variable(np.float32(2), name="rate")) == "Variable(2.0, dtype=float32, name='rate')"
    assert repr(ag.Variable([1.0, 2.0])) == "Variable(array([1., 2.]))"
    v = ag.Variable(np.ones((2, 3)), np.float32)
    assert (v.shape, v.ndim, v.size, v.dtype) == ((2, 3), 2, 6, np.float32)
    assert v.T.shape == (3, 2) and v.numpy() is not v.numpy()
    assert len({v: 1, ag.Variable(1): 2}) == 2
    assert copy.deepcopy(v).value.tolist() == v.value.tolist()


def test_threads_see_whole_values() -> None:
    v = ag.Variable(np.zeros(100))

    @ag.function
    def f(x: Any) -> Any:
        v.assign(np.full(100, 1.0) * x)
        return v.value

    def run(x: float) -> None:
        for _ in range(200):
            assert len(set(f(np.float64(x)).tolist())) == 1

    threads = [threading.Thread(target=run, args=(float(x),)) for x in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_a_variable_has_what_arrays_have_and_no_more() -> None:
    weights = ag.Variable(np.ones(2))

    @ag.function
    def asked() -> Any:
        return weights.sum(), hasattr(weights, "sum"), hasattr(weights, "read"), hasattr(weights, "sizes")

    assert asked() == (2.0, True, False, False)
    with pytest.raises(AttributeError, match="'Variable' object has no attribute 'read'"):
        ag.function(lambda: weights.read())()


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        *((np.uint8, value) for value in (300, -1, 200)),
        *((np.int32, value) for value in (2**40, [7, 2**40], [7, 8])),
    ],
)
def test_a_python_int_that_does_not_fit_is_no_value(dtype: Any, value: Any) -> None:
    """As it is none of an item of an array: `x[...] = 300`."""
    shape = np.shape(value)
    array, plain, staged = np.zeros(shape, dtype), *(ag.Variable(np.zeros(shape, dtype)) for _ in range(2))

    def outcome(assign: Any) -> Any:
        try:
            return np.asarray(assign()).tolist()
        except OverflowError as error:
            return str(error)

    def written() -> Any:
        array[...] = value
        return array

    want = outcome(written)
    assert outcome(lambda: plain.assign(value).value) == want
    assert outcome(lambda: ag.function(lambda: staged.assign(value).value)()) == want
    if not shape:
        assert outcome(lambda: ag.function(lambda n: staged.assign(n).value)(value)) == want


def test_a_complex_value_is_none_of_a_real_variable() -> None:
    v = ag.Variable(1.0)
    for assign in (v.assign, ag.function(lambda z: v.assign(z).value)):
        with pytest.raises(TypeError, match="has dtype float64, and the value complex128"):
            assign(1j)


def test_a_name_is_not_given_while_tracing() -> None:
    v = ag.Variable(1.0)

    @ag.function
    def renamed(x: Any) -> Any:
        v.name = "other"
        return x

    with pytest.raises(ag.StagingError, match="would be written once, while tracing") as caught:
        renamed(1.0)
    assert caught.value.code == "AG122" and v.name is None


def test_a_narrow_variable_is_assigned_in_a_branch() -> None:
    v = ag.Variable(np.uint8(7))

    @ag.function
    def step(x: Any) -> Any:
        if x > 1:
            v.assign_add(1)
        v.assign(v * v)
        return v.value

    assert [step(np.float64(x)) for x in (2.0, 0.0)] == [64, 0] and v.value.dtype == np.uint8


class Momentum(ag.Variable):
    """A variable of the user's own class."""


def test_a_subclass_is_staged_as_the_class_is() -> None:
    def run(kind: type[ag.Variable]) -> Any:
        vector, number = kind(np.array([1.0, 2.0])), kind(3.0)

        @ag.function
        def step(x):
            total = 0.0
            for item in vector:
                total += item
            if number:
                total += 10
            vector.assign_add(x * np.ones(2))
            return total, not number, number and 1, len(vector), np.sum(vector), float(number)

        return step(2.0), step(3.0), vector.numpy().tolist()

    assert run(Momentum) == run(ag.Variable)
