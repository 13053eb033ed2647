"""Generators that yield from themselves by data: functions of the graph, with CPython's items and order."""

from __future__ import annotations

from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import outcome_or_refusal


def inorder(left, right, i):
    if i >= 0:
        yield from inorder(left, right, left[i])
        yield i
        yield from inorder(left, right, right[i])


def values_in_order(left, right, values):
    s = 0.0
    out = []
    for i in inorder(left, right, np.int64(0)):
        s = s * 2 + values[i]
        out.append(i)
    return s, out


def list_in_order(left, right, values):
    return [values[i] for i in inorder(left, right, np.int64(0))], sum(inorder(left, right, np.int64(0)))


def first_large(left, right, values):
    for i in inorder(left, right, np.int64(0)):
        if values[i] > 2.5:
            return i
    return np.int64(-1)


def any_large(left, right, values):
    return any(values[i] > 4.5 for i in inorder(left, right, np.int64(0)))


def printed(left, right, values):
    def walk(i, depth):
        print("enter", depth)
        if i >= 0:
            yield from walk(left[i], depth + 1)
            print("at", depth)
            yield values[i]
            yield from walk(right[i], depth + 1)
        print("leave", depth)

    for v in walk(np.int64(0), 0):
        print(v)
        if v > 4.5:
            break
    print("done")
    return v


def by_for(left, right, values):
    def walk(i):
        if i < 0:
            return
        for v in walk(left[i]):  # noqa: UP028 - as it was written before `yield from`
            yield v
        yield values[i]
        for w in walk(right[i]):  # noqa: UP028
            yield w

    return list(walk(np.int64(0)))


def hanoi(n, a, b, c):
    if n > 0:
        yield from hanoi(n - 1, a, c, b)
        yield a, c
        yield from hanoi(n - 1, b, a, c)


def moves(n):
    return [move for move in hanoi(n, 0, 1, 2)], sum(1 for _ in hanoi(n, 0, 1, 2))


def down(n):
    if n > 0:
        yield n
        yield from down(n - 1)


def first_below(n):
    total = 0
    for v in down(n):
        if v < 3:
            break
        total += v
    return total, max(down(n), default=-1), dict((v, v * v) for v in down(n))


def ping(n):
    if n > 0:
        yield n
        yield from pong(n - 1)


def pong(n):
    if n > 0:
        yield -n
        yield from ping(n - 1)


def both(n):
    return list(ping(n))


def reached(adjacent):
    seen = np.zeros(len(adjacent), bool)

    def visit(i):
        seen[i] = True
        yield i
        for j in range(len(seen)):
            if adjacent[i, j] and not seen[j]:
                yield from visit(j)

    return [i * 2 for i in visit(0)], seen


def subsets(n):
    """Each number in binary, built from the top."""

    def build(k, value):
        if k == 0:
            yield value
        else:
            yield from build(k - 1, value * 2)
            yield from build(k - 1, value * 2 + 1)

    return list(build(n, 0))


LEFT, RIGHT = np.array([1, 3, -1, -1, -1]), np.array([2, 4, -1, -1, -1])
VALUES = np.array([1.0, 2, 3, 4, 5])
TREES = ((LEFT, RIGHT, VALUES), (RIGHT, LEFT, -VALUES), (LEFT * 0 - 1, RIGHT * 0 - 1, VALUES))
NUMBERS = tuple((np.int64(n),) for n in (3, 0, 1, 4))
PROGRAMS: dict[Any, Any] = {
    **dict.fromkeys((values_in_order, list_in_order, first_large, any_large, printed, by_for), TREES),
    **dict.fromkeys((moves, first_below, both, subsets), NUMBERS),
    reached: tuple(
        (np.array(one),)
        for one in ([[0, 1, 0], [0, 0, 1], [0, 0, 0]], [[0, 0, 1], [0, 0, 0], [1, 1, 0]], [[0]])
    ),
}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
def test_programs(program: Any, capsys: pytest.CaptureFixture[str]) -> None:
    staged = ag.function(program)
    for arguments in PROGRAMS[program]:
        want = outcome_or_refusal(program, arguments)[0], capsys.readouterr().out
        got, is_refused = outcome_or_refusal(staged, arguments)
        assert not is_refused, got
        assert (got, capsys.readouterr().out) == want


def test_it_is_a_function_of_the_graph() -> None:
    concrete = ag.function(values_in_order).concrete_function(LEFT, RIGHT, VALUES)
    assert "call" in concrete.graph.text()


def test_gradients() -> None:
    def loss(values: Any) -> Any:
        s = 0.0
        for i in inorder(LEFT, RIGHT, np.int64(0)):
            s = s * 2 + values[i] ** 2
        return s

    np.testing.assert_allclose(ag.grad(loss)(VALUES), 2 * VALUES * [2, 8, 1, 16, 4])


def permutations(xs, k):
    if k == len(xs):
        yield xs[0] * 10 + xs[1]
    else:
        for i in range(k, len(xs)):
            for value in permutations(xs, k + 1):
                yield value + i


def test_items_that_each_call_changes() -> None:
    """What is done with an item differs from call to call: plain numbers end it, or it is refused."""
    program = lambda xs: list(permutations(xs, 0))  # noqa: E731
    xs = np.array([1.0, 2.0, 3.0])
    assert outcome_or_refusal(ag.function(program), (xs,))[0] == outcome_or_refusal(program, (xs,))[0]

    def deep(n: Any) -> Any:
        def walk(k: Any) -> Any:
            if k > 0:
                yield k
                for v in walk(k - 1):
                    yield v * 2

        return list(walk(n))

    with pytest.raises(ag.StagingError, match="AG138") as refusal:
        ag.function(deep)(np.int64(3))
    assert "-->" in str(refusal.value)
