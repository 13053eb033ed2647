"""Objects of the caller that a staged function writes: lists that it appends to, aliases, runs that fail.

A list that is only appended to is no argument of the graph. Whatever else a program does with such a list, it
has to see what the caller has put there.
"""

from __future__ import annotations

import copy
import functools
import itertools
import operator
from dataclasses import dataclass
from typing import Any

import autograph as ag
import numpy as np
import pytest


class Model:
    def __init__(self) -> None:
        self.log: list[Any] = [1.0]
        self.steps = 0
        self.w = np.ones(2)
        self.s = 1.5

    def __repr__(self) -> str:
        return f"Model({self.log}, {self.steps}, {self.w}, {self.s})"


@ag.do_not_convert
def unconverted(values: list[Any]) -> int:
    return len(values)


USES = {
    "len": lambda xs, x: len(xs),
    "last": lambda xs, x: xs[-1],
    "slice": lambda xs, x: xs[0:1],
    "staged index": lambda xs, x: xs[int(x > 100)],
    "sum": lambda xs, x: sum(xs),
    "mean": lambda xs, x: np.mean(xs),
    "array": lambda xs, x: np.array(xs),
    "reduction": lambda xs, x: np.add.reduce(xs),
    "dot": lambda xs, x: np.dot(xs, xs),
    "truth": lambda xs, x: not xs,
    "equal": lambda xs, x: xs == [1.0],
    "in": lambda xs, x: x in xs,
    "index": lambda xs, x: xs.index(1.0),
    "count": lambda xs, x: xs.count(1.0),
    "sorted": lambda xs, x: sorted(xs),
    "reversed": lambda xs, x: list(reversed(xs)),
    "zip": lambda xs, x: list(zip(xs, xs, strict=True)),
    "chain": lambda xs, x: list(itertools.chain(xs, [x])),
    "reduce": lambda xs, x: functools.reduce(operator.add, xs),
    "getter": lambda xs, x: operator.itemgetter(0)(xs),
    "comprehension": lambda xs, x: [v * 2 for v in xs],
    "display": lambda xs, x: [*xs, x],
    "arguments": lambda xs, x: (lambda *a: len(a))(*xs),
    "sum of lists": lambda xs, x: xs + [x],  # noqa: RUF005 - that is what is tested
    "reflected sum": lambda xs, x: [x] + xs,  # noqa: RUF005
    "product": lambda xs, x: xs * 2,
    "copy": lambda xs, x: copy.copy(xs),
    "deep copy": lambda xs, x: copy.deepcopy(xs),
    "tuple": lambda xs, x: tuple(xs),
    "next": lambda xs, x: next(iter(xs)),
    "method of the class": lambda xs, x: list.__len__(xs),
    "text": lambda xs, x: f"{xs}",
    "one of two": lambda xs, x: (xs if x > 1 else [1.0])[0],
    "identity": lambda xs, x: xs is xs,
    "print": lambda xs, x: print(xs),
    "in a dict": lambda xs, x: {"a": xs},
    "sort": lambda xs, x: xs.sort(),
    "pop": lambda xs, x: xs.pop(0),
    "item": lambda xs, x: operator.setitem(xs, 0, x),
    "special method": lambda xs, x: xs.__setitem__(0, x),
    "remove": lambda xs, x: xs.remove(xs[0]),
    "unconverted": lambda xs, x: unconverted(xs),
}
MAY_BE_REFUSED = {"equal", "text"}


def appended_before(use: Any, model: Any, x: Any) -> Any:
    model.log.append(x)
    return use(model.log, x)


def appended_after(use: Any, model: Any, x: Any) -> Any:
    result = use(model.log, x)
    model.log.append(x)
    return result


@pytest.mark.parametrize("name", USES)
@pytest.mark.parametrize("order", [appended_before, appended_after])
def test_a_log_that_is_looked_at(order: Any, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    staged = ag.function(functools.partial(order, USES[name]))
    model, plain = Model(), Model()
    for x in (np.float64(2.0), np.float64(3.0), np.float64(0.5)):
        try:
            found = repr(staged(model, x))
        except ag.StagingError:
            assert name in MAY_BE_REFUSED
            return
        printed = capsys.readouterr().out
        assert found == repr(order(USES[name], plain, x))
        assert printed == capsys.readouterr().out
        assert repr(model) == repr(plain)
        model.log.append(float(x))
        plain.log.append(float(x))


def test_a_log_of_any_length_is_one_graph() -> None:
    @ag.function
    def step(model: Any, x: Any) -> Any:
        for i in range(3 + len(model.w)):
            model.log.append(x * i)
        model.w = model.w * 2.0
        return model

    model = Model()
    assert step(model, 2.0) is model
    for _ in range(4):
        step(model, 3.0)
    assert len(model.log) == 26 and len(step.signatures()) == 1


def test_two_names_of_one_list() -> None:
    shared = [1.0]

    def both(model: Any, values: list[Any], x: Any) -> Any:
        model.log.append(x)
        shared.append(len(values))
        values.append(x * 2)
        return model.log is shared, values is shared, len(shared)

    staged = ag.function(both)
    for values in (shared, [5.0], shared):
        model, before = Model(), list(shared)
        model.log = shared
        own = list(values)
        found = staged(model, values, 2.0), list(shared), list(values)
        shared[:] = before
        if values is not shared:
            values[:] = own
        assert found == (both(model, values, 2.0), list(shared), list(values))


def test_a_run_that_fails_has_done_what_stands_before(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is printed twice, and the exception is Python's."""

    def steps(model: Any, n: Any) -> None:
        for _ in range(n):
            model.steps += 1
            print("step", model.steps)
            model.log.append(1.0 / (model.steps - 3.0))
            model.s = model.log[-1]

    for function in (steps, ag.function(steps)):
        model, seen = Model(), []
        for n in (1, 4, 1):
            try:
                function(model, np.int64(n))
            except ZeroDivisionError as error:
                assert error.__context__ is None
                seen.append(str(error))
            seen.append(repr(model))
        seen.append(capsys.readouterr().out)
        if function is steps:
            wanted = seen
    assert seen == wanted and "division" in seen[1]


def test_ints_that_leave_64_bits() -> None:
    """A graph cannot go on; Python does."""

    @ag.function
    def grow(model: Any, n: Any) -> Any:
        for _ in range(n):
            model.steps = model.steps * 8 + 1
        return model.steps

    model = Model()
    for n in (10, 2):
        grow(model, n)
    assert grow(model, 20) == model.steps > 2**64


def test_writes_in_transformed_functions() -> None:
    """A derivative makes the writes of its function once; `ag.vmap` has as many as there are rows."""
    model = Model()

    def loss(w: Any) -> Any:
        model.steps += 1
        model.log.append(w[0])
        return np.sum(w * w)

    assert ag.function(lambda w: ag.grad(loss)(w))(np.ones(2)).tolist() == [2.0, 2.0]
    assert model.steps == 1 and model.log == [1.0, 1.0]
    for transformed in (lambda w: ag.grad(loss)(w), ag.function(lambda w: ag.vmap(loss)(np.stack([w, w])))):
        with pytest.raises(ag.StagingError) as refused:
            transformed(np.ones(2))
        assert refused.value.code in ("AG122", "AG145")
        assert model.steps == 1 and model.log == [1.0, 1.0]


@dataclass(frozen=True)
class Frozen:
    rate: float = 1.0


def test_python_refuses_first() -> None:
    def change(frozen: Any, x: Any) -> None:
        frozen.rate = x

    with pytest.raises(AttributeError, match="cannot assign to field 'rate'"):
        ag.function(change)(Frozen(), 2.0)


def test_a_default_argument_is_the_callers() -> None:
    @ag.function
    def count(x: Any, seen: dict[str, Any] = {}) -> Any:
        seen["last"] = x
        seen["number"] = seen.get("number", 0) + 1
        return seen["number"]

    assert [count(1.0), count(2.0), count(3.0)] == [1, 2, 3]


def test_a_recursion_writes() -> None:
    model, plain = Model(), Model()

    def walk(model: Any, n: Any) -> Any:
        model.steps += 1
        model.log.append(n)
        return 0 if n < 1 else 1 + walk(model, n - 1)

    staged = ag.function(lambda n: walk(model, n))
    for n in (np.int64(3), np.int64(5)):
        assert staged(n) == walk(plain, n)
        assert repr(model) == repr(plain)


class Line:
    def __init__(self) -> None:
        self.slope, self.seen = np.float64(0.0), 0
        self.errors: list[Any] = []

    @ag.function
    def step(self, x: Any, y: Any) -> Any:
        error = self.slope * x - y
        self.slope = self.slope - 0.1 * error * x
        self.errors.append(error)
        self.seen += 1
        return self

    @ag.function
    def at(self, x: Any) -> Any:
        if self.seen == 0:
            return x * 0.0
        return self.slope * x

    @ag.function
    def text(self, x: Any) -> Any:
        return f"{self.seen} seen"


def test_what_another_function_writes_is_no_reason_to_record_again() -> None:
    line = Line()
    for number in range(6):
        line.step(1.0, 2.0)
        assert line.at(3.0) == line.slope * 3.0
        assert line.text(1.0) == f"{number + 1} seen"  # Needs the value: recorded again each time.
    assert len(Line.at.retraces) < 5
    line.slope = np.float64(7.0)
    assert line.at(2.0) == 14.0


@dataclass
class Pair:
    left: Any
    right: Any = 1.0


@dataclass(slots=True)
class Slotted:
    left: Any
    right: Any = 1.0


@pytest.mark.parametrize("kind", [Pair, Slotted])
def test_attributes_of_dataclasses(kind: Any) -> None:
    def change(one: Any, other: Any, x: Any) -> Any:
        other.left = x
        is_one = one is other
        one.left = one.left + 1.0
        other.right = is_one
        if kind is Pair:
            one.more = x
        return is_one

    for same in (True, False):
        outcomes = []
        for function in (change, ag.function(change)):
            one = kind(2.0)
            other = one if same else kind(3.0)
            found = function(one, other, np.float64(5.0))
            names = ("left", "right", "more")
            outcomes.append((found, [[getattr(o, name, None) for name in names] for o in (one, other)]))
        assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("kind", [Pair, Slotted])
def test_a_deleted_attribute_of_a_dataclass(kind: Any) -> None:
    @ag.function
    def remove(one: Any, x: Any) -> Any:
        del one.left
        one.right = x

    one = kind(2.0)
    remove(one, 3.0)
    assert not hasattr(one, "left") and one.right == 3.0


def test_a_recording_that_is_refused_leaves_nothing() -> None:
    model = Model()

    @ag.function
    def refused(model: Any, x: Any) -> Any:
        model.s = model.s + x
        model.log.append(x)
        model.w[0] = x
        return hash(x)

    before = repr(model)
    for _ in range(2):
        with pytest.raises(ag.StagingError, match="AG101"):
            refused(model, np.float64(2.0))
        assert repr(model) == before and type(model.s) is float and type(model.log) is list
