"""Derivatives of `ag.vmap`, in it and through it, are those that a loop over the rows gives.

How often a loop goes round, what a list holds and which object a variable is bound to depend on the row; in
some batches no row enters a loop, and some have no rows. `tests/fuzzer/rowwise.py` does the same with random
programs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
from fuzzer.rowwise import WAYS

BATCHES = ((3, 0, 2, 5), (0, 0), (2,), (), (0,))
"""How often loops over `range(n)` go round, for each row."""


def powers(a: Any, b: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        a = np.sin(a) * b + i
    return a * np.sum(x)


def replaced(a: Any, b: Any, x: Any, n: Any) -> Any:
    for _ in range(n):
        b, a = a, np.sum(x * b)
    return b


def backwards(a: Any, b: Any, x: Any, n: Any) -> Any:
    for i in range(n, 0, -2):
        a = np.cos(a * i) * x[0]
    return a + b


def halved(a: Any, b: Any, x: Any, n: Any) -> Any:
    left = n
    while left > 0:
        inner = 0
        while inner < left % 3:
            a = np.tanh(a * b + x[inner])
            inner += 1
        left -= 1
    return a * a


def in_place(a: Any, b: Any, x: Any, n: Any) -> Any:
    z = x.copy()
    for i in range(n):
        z[i % 4] *= a
        z += b * z[0]
    return np.sum(z * z)


def collected(a: Any, b: Any, x: Any, n: Any) -> Any:
    xs = [a]
    for i in range(n):
        xs.append(np.sin(xs[-1]) * x[i % 4])
        if xs[-1] > 0.0:
            xs.append(b)
    if x[0] > 0.0:
        xs.pop()
    return sum([one * one for one in xs]) + len(xs) * a


def list_in_a_branch(a: Any, b: Any, x: Any, n: Any) -> Any:
    xs: list[Any] = []
    if n > 0:
        xs = [a, b]
    for v in x:
        if v > 0.0:
            xs.append(v * a)
    return sum([v * v for v in xs])


def either_list(a: Any, b: Any, x: Any, n: Any) -> Any:
    xs, ys = [a], [b]
    zs = xs if x[0] > 0.0 else ys
    for v in x[:2]:
        zs.append(v * v)
    return sum(xs) * 2.0 + np.sin(sum(ys))


def lists_in_a_list(a: Any, b: Any, x: Any, n: Any) -> Any:
    grid = [[a], [b]]
    for v in x:
        if v > 0.0:
            grid.append([v, a * v])
        else:
            grid[-1].append(v * b)
    total = 0.0
    for cells in grid:
        total = total + sum(cells) * len(cells)
    return np.sin(total)


class Point:
    def __init__(self, v: Any) -> None:
        self.v = v


def objects(a: Any, b: Any, x: Any, n: Any) -> Any:
    points = []
    for v in x:
        if v > 0.0:
            points.append(Point(v * a))
        elif points:
            points[-1].v = points[-1].v * b
    total = b
    for point in points:
        total = total + point.v**2
    return total


def another_object(a: Any, b: Any, x: Any, n: Any) -> Any:
    point = Point(a)
    for v in x:
        if v > 0.0:
            point.v = np.sin(point.v) + v * b
        else:
            point = Point(v * point.v)
    return point.v


PROGRAMS = (
    powers,
    replaced,
    backwards,
    halved,
    in_place,
    collected,
    list_in_a_branch,
    either_list,
    lists_in_a_list,
    objects,
    another_object,
)


def batch(counts: tuple[int, ...]) -> tuple[Any, ...]:
    draws = np.random.default_rng(len(counts))
    rows = len(counts)
    floats = (
        draws.uniform(-1.3, 1.3, rows),
        draws.uniform(0.2, 1.3, rows),
        draws.uniform(-1.2, 1.2, (rows, 4)),
    )
    return (*floats, np.array(counts, dtype=np.int64))


@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize("program", PROGRAMS, ids=[program.__name__ for program in PROGRAMS])
def test_rows_have_the_derivatives_that_they_have_alone(program: Callable[..., Any], way: str) -> None:
    for counts in BATCHES:
        found, wanted = WAYS[way](program, batch(counts))
        if not counts:
            assert all(one.shape[0] == 0 for one in found)
            continue
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)


# What rows return


@dataclasses.dataclass
class Pair:
    first: Any
    second: Any


def scaled(x: Any) -> Any:
    found = []
    for v in x:
        found.append(v * x)
    return found


def tuples(x: Any) -> Any:
    found = []
    for v in x:
        found.append((v * 2.0, v * x))
    return found


def positive(x: Any) -> Any:
    found = []
    for v in x:
        if v > 0.0:
            found.append(v)
    return found


def counted(x: Any) -> Any:
    found = []
    for i in ag.staged(range(3)):
        found.append(i * 2.0)
    return found, np.sum(x)


def pair_of(x: Any) -> Any:
    pair = Pair(x[0], x)
    for v in x:
        if v > 0.0:
            pair = Pair(v, pair.second * v)
    return pair


X = np.array([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]])


def test_lists_that_rows_return_are_lists_of_rows() -> None:
    for program in (scaled, tuples):
        found = ag.vmap(program)(X)
        alone = [program(row) for row in X]
        for place in range(3):
            wanted = [row[place] for row in alone]
            if program is tuples:
                pairs = zip(*wanted, strict=True)
                assert all(map(np.array_equal, found[place], map(np.stack, pairs)))
            else:
                assert np.array_equal(found[place], np.stack(wanted))
    behind = ag.vmap(scaled, out_axes=-1)(X)
    assert [one.shape for one in behind] == [(3, 2)] * 3
    assert np.array_equal(behind[1][:, 0], scaled(X[0])[1])


def test_a_list_that_is_the_same_for_all_rows_is_repeated() -> None:
    found, total = ag.vmap(counted)(X)
    assert [one.tolist() for one in found] == [[0.0, 0.0], [2.0, 2.0], [4.0, 4.0]]
    assert total.tolist() == [2.0, 3.5]
    once, _ = ag.vmap(counted, out_axes=(None, 0))(X)
    assert once == [0.0, 2.0, 4.0]


def test_lists_of_rows_have_one_length() -> None:
    assert [one.tolist() for one in ag.vmap(positive)(X)] == [[1.0, 0.5], [3.0, 4.0]]
    with pytest.raises(ag.GraphRuntimeError, match="vmap: rows have lists of different lengths") as caught:
        ag.vmap(positive)(np.abs(X) * np.array([[1.0], [-1.0]]))
    assert caught.value.location is not None and caught.value.location.file == __file__


def test_dataclasses_that_rows_return_are_dataclasses_of_rows() -> None:
    found, alone = ag.vmap(pair_of)(X), [pair_of(row) for row in X]
    assert type(found) is Pair
    assert np.array_equal(found.first, [one.first for one in alone])
    assert np.array_equal(found.second, np.stack([one.second for one in alone]))


# Objects from around


def test_objects_from_around_are_read_by_rows() -> None:
    def program(x: Any, scale: Any) -> Any:
        points = []
        for v in x[0]:
            points.append(Point(v * scale) if v > 0.0 else Point(v))

        def row(one: Any) -> Any:
            own = []
            for v in one:
                if v > 0.0:
                    own.append(Point(v))
            for point in own:
                point.v = point.v * 2.0
            return sum([point.v**2 for point in own]) + sum([point.v for point in points])

        return ag.vmap(row)(x), sum([point.v for point in points])

    def alone(x: Any, scale: Any) -> Any:
        points = [v * scale if v > 0.0 else v for v in x[0]]
        rows = [sum((2.0 * v) ** 2 for v in one if v > 0.0) + sum(points) for one in x]
        return np.array(rows), sum(points)

    found, wanted = ag.function(program)(X, np.float64(1.5)), alone(X, 1.5)
    np.testing.assert_allclose(found[0], wanted[0])
    assert found[1] == wanted[1]


def test_objects_from_around_are_not_written_by_rows() -> None:
    def written(x: Any, scale: Any) -> Any:
        points = []
        for v in x[0]:
            points.append(Point(v * scale) if v > 0.0 else Point(v))

        def row(one: Any) -> Any:
            for point in points:
                point.v = point.v * one[0]
            return one[0]

        return ag.vmap(row)(x)

    def longer(x: Any, scale: Any) -> Any:
        grid = []
        for v in x[0]:
            grid.append([v, scale] if v > 0.0 else [v])

        def row(one: Any) -> Any:
            for cells in grid:
                cells.append(one[0])
            return one[0]

        return ag.vmap(row)(x)

    for program, what in ((written, "a Point"), (longer, "a list")):
        words = f"{what} from around a function of ag.vmap is written in it: return the new value instead"
        with pytest.raises(ag.GraphRuntimeError, match=words) as caught:
            ag.function(program)(X, np.float64(1.5))
        assert caught.value.location is not None and caught.value.location.file == __file__


# What rows print


def printing(x: Any, scale: Any) -> Any:
    if x[0] > 0.6:
        print("row", x, scale)
    print(f"by {scale}")
    return np.sum(x * x) * scale


def test_what_differs_between_rows_is_printed_for_each_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    x = np.array([[1.0, -2.0], [0.5, 4.0], [3.0, 0.0]])
    scale = np.float64(2.0)
    for function in (ag.vmap(printing, (0, None)), ag.vmap(ag.grad(printing), (0, None))):
        function(x, scale)
        assert capsys.readouterr().out == "row [ 1. -2.] 2.0\nrow [3. 0.] 2.0\nby 2.0\n"
    ag.grad(lambda x: np.sum(ag.vmap(printing, (0, None))(x, scale)))(x)
    assert capsys.readouterr().out == "row [ 1. -2.] 2.0\nrow [3. 0.] 2.0\nby 2.0\n"
    ag.hessian(printing)(x[0], scale)
    assert capsys.readouterr().out == "row [ 1. -2.] 2.0\nby 2.0\n"


def test_objects_in_a_function_with_a_rule() -> None:
    @ag.custom_vjp
    def squares(x: Any) -> Any:
        points = []
        for v in x:
            if v > 0.0:
                points.append(Point(v))
        total = np.float64(0.0)
        for point in points:
            total = total + point.v * point.v
        return total

    squares.defvjp(
        lambda x: (squares(x), x), lambda x, cotangent: (3.0 * cotangent * np.where(x > 0.0, x, 0.0),)
    )
    assert ag.function(squares)(X[0]) == squares(X[0]) == 10.0
    assert ag.grad(squares)(X[0]).tolist() == [3.0, 0.0, 9.0]
    assert ag.vmap(ag.grad(squares))(X).tolist() == [[3.0, 0.0, 9.0], [1.5, 12.0, 0.0]]
