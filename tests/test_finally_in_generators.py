"""Generators with `yield` in `try` and `finally`: what they do last stands where CPython does it."""

from __future__ import annotations

from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import outcome_or_refusal


def items(xs):
    try:
        for x in xs:
            if x > 0:
                print("item", x)
                yield x
    finally:
        print("end")


def nested(xs):
    print("begin")
    try:
        yield 1.0
        yield from items(xs)
    finally:
        print("outer end")
    print("after")


class Rows:
    def __init__(self, xs):
        self.xs, self.closed = xs, 0

    def __iter__(self):
        try:
            for x in self.xs:
                if x > 0:
                    yield x
        finally:
            self.closed += 1


def whole(xs):
    s = 0.0
    for v in items(xs):
        print("body", v)
        s += v
    print("done")
    return s


def left(xs):
    s = 0.0
    for v in items(xs):
        if v > 1:
            break
        s += v
    print("done")
    return s


def left_by_return(xs):
    for v in items(xs):
        if v > 1:
            return v
    return -1.0


def with_else(xs):
    v = 0.0
    for v in items(xs):
        if v > 2:
            break
    else:
        print("else")
    print("done")
    return v


def left_by_an_exception(xs):
    try:
        for v in items(xs):
            if v > 1:
                raise ValueError("large")
    except ValueError as error:
        print("handler")
        return str(error)
    return "fine"


def body_fails(xs):
    y = np.zeros(2)
    i = 0
    for v in items(xs):
        y[i] = v
        i += 1
    return y


def of_two(xs):
    s = 0.0
    for v in nested(xs):
        if v > 2:
            break
        s += v
    print("done")
    return s


def builtins_take_all(xs):
    return list(items(xs)), sum(items(xs)), max(items(xs), default=0.0)


def comprehensions(xs):
    return [v * 2 for v in items(xs)], sum(v * 2 for v in items(xs) if v > 1)


def in_a_loop(xs):
    s = 0.0
    for k in range(5):
        for v in items(xs * k):
            if v > 2:
                break
            s += v
        print("round")
    return s


def in_a_branch(xs):
    s = 0.0
    if xs.sum() > 0:
        for v in items(xs):
            s += v
    print("done")
    return s


def of_an_object(xs):
    rows = Rows(xs)
    s = 0.0
    for v in rows:
        if v > 1:
            break
        s += v
    return s, rows.closed


def named(xs):
    g = items(xs)
    s = 0.0
    for v in g:
        if v > 1:
            break
        s += v
    print("done")
    return s


def held(xs):
    gs = [items(xs)]
    s = 0.0
    for v in gs[0]:
        if v > 1:
            break
        s += v
    print("done")
    return s


def expression_named(xs):
    g = (v for v in items(xs))
    found = any(v > 1 for v in g)
    print("done")
    return found


def by_next(xs):
    first = next(items(xs), None)
    print("done")
    return first


def goes_on(xs):
    g = items(xs)
    first, second = next(g, None), next(g, None)
    print("done")
    return first, second


def handles(xs):
    for x in xs:
        try:
            print("look")
            yield x
        except ValueError:
            print("caught")


def body_raises_what_it_handles(xs):
    s = 0.0
    for v in handles(xs):
        if v > 1:
            raise ValueError("large")
        s += v
    return s


def jumps(xs):
    for x in xs:
        try:
            print("look")
            yield x
        finally:
            if x > 1:
                break


def leaves_by_finally(xs):
    return [v for v in jumps(xs)]


class Noted:
    def __enter__(self):
        print("enter")

    def __exit__(self, kind, error, traceback):
        print("exit", kind)


def managed(xs):
    for x in xs:
        with Noted():
            yield x


def left_in_a_with(xs):
    for v in managed(xs):
        if v > 1:
            break
    return v


TAKEN = (
    *(whole, left, left_by_return, with_else, left_by_an_exception, body_fails, of_two, builtins_take_all),
    *(comprehensions, in_a_loop, in_a_branch, of_an_object, leaves_by_finally),
)
REFUSED = {
    **dict.fromkeys((named, held, expression_named, by_next, goes_on), "AG120"),
    body_raises_what_it_handles: "AG135",
    left_in_a_with: "AG121",
}
X = np.array([0.5, 1.5, -0.5, 2.5, 1.0])


@pytest.mark.parametrize("program", TAKEN, ids=lambda one: one.__name__)
def test_order_is_cpythons(program: Any, capsys: pytest.CaptureFixture[str]) -> None:
    staged = ag.function(program)
    for xs in (X, -X, X[:1], X[::-1].copy(), X[:0], X):
        want = outcome_or_refusal(program, (xs,))[0], capsys.readouterr().out
        got, is_refused = outcome_or_refusal(staged, (xs,))
        assert not is_refused, got
        assert (got, capsys.readouterr().out) == want


@pytest.mark.parametrize("program", REFUSED, ids=lambda one: one.__name__)
def test_what_only_pythons_memory_decides_is_refused(program: Any) -> None:
    with pytest.raises(ag.StagingError, match=REFUSED[program]) as refusal:
        ag.function(program)(X)
    assert "-->" in str(refusal.value) and "help: " in str(refusal.value)


def test_gradients() -> None:
    def loss(xs: Any) -> Any:
        s = 0.0
        for v in Rows(xs):
            if v > 2:
                break
            s += v * v
        return s

    np.testing.assert_allclose(ag.grad(loss)(X), [1.0, 3.0, 0.0, 0.0, 0.0])
