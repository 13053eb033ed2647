"""What `docs/differences.md` says is different on purpose: here so that it is known when it changes."""

from __future__ import annotations

import dataclasses
from typing import Any

import autograph as ag
import numpy as np
import pytest


def test_one_array_or_another_is_an_array_of_its_own() -> None:
    def f(x, c):
        y = x if c > 0 else x * 2
        return y

    x = np.arange(3.0)
    assert f(x, np.int64(1)) is x
    given = ag.function(f)(x, np.int64(1))
    assert given is not x and given.tolist() == x.tolist() and not np.shares_memory(given, x)


def test_one_list_or_dict_or_another_is_one_of_its_own() -> None:
    def halved(p, n):
        for _ in range(n):
            p = {k: v / 2 for k, v in p.items()}
        return p

    def either(xs, c):
        return xs if c > 0 else [xs[0] * 2]

    p, xs = {"w": np.ones(2)}, [np.ones(2)]
    assert halved(p, np.int64(0)) is p and either(xs, np.int64(1)) is xs
    given = ag.function(halved)(p, np.int64(0)), ag.function(either)(xs, np.int64(1))
    assert given[0] is not p and given[1] is not xs
    assert given[0]["w"].tolist() == given[1][0].tolist() == [1.0, 1.0]


def test_views_share_memory_with_what_is_returned_or_was_passed() -> None:
    def f(x):
        y = x * 2
        return x[1:], x.T, x.reshape(3, 2)[::-1], y, y[:1], x[:, 0], x

    x = np.arange(6.0).reshape(2, 3)
    for function in (f, ag.function(f)):
        rest, turned, rows, y, first, column, same = function(x)
        assert same is x and all(np.shares_memory(x, one) for one in (rest, turned, rows, column))
        assert np.shares_memory(y, first) and not np.shares_memory(x, y)
        assert [one.tolist() for one in (rest, turned, rows, first, column)] == [
            x[1:].tolist(),
            x.T.tolist(),
            x.reshape(3, 2)[::-1].tolist(),
            y[:1].tolist(),
            x[:, 0].tolist(),
        ]


def test_a_view_of_the_whole_array_is_a_view() -> None:
    def f(x, m):
        y = x * 2
        return x[:], x[...], x[-3:], m[:, :], y, y[:9], np.squeeze(m), m.squeeze()

    x, m = np.arange(3.0), np.arange(6.0).reshape(2, 3)
    for function in (f, ag.function(f)):
        *views, whole, y, part, squeezed, same = function(x, m)
        assert all(one is not x and np.shares_memory(one, x) for one in views)
        assert whole is not m and np.shares_memory(whole, m)
        assert part is not y and np.shares_memory(part, y)
        assert squeezed is m and same is m  # There is nothing to squeeze: NumPy gives the array itself.


def test_a_view_of_an_argument_that_was_written() -> None:
    def f(x):
        x[0] = 9.0
        return x[:2]

    x = np.zeros(3)
    given = ag.function(f)(x)
    assert given.tolist() == [9.0, 0.0] and np.shares_memory(given, x)


def test_two_views_of_what_is_not_returned_are_two_arrays() -> None:
    def f(x):
        y = x * 2
        return y[1:], y[:-1]

    first, second = f(np.arange(3.0))
    assert np.shares_memory(first, second)
    first, second = ag.function(f)(np.arange(3.0))
    assert not np.shares_memory(first, second)


def test_a_view_at_a_staged_place_is_an_array_of_its_own() -> None:
    def f(x, k):
        return x[k:]

    x = np.arange(3.0)
    given = ag.function(f, dynamic="k")(x, 1)
    assert given.tolist() == f(x, 1).tolist() and not np.shares_memory(given, x)


def test_an_int_of_more_than_64_bits_is_a_failure_of_ours() -> None:
    def f(n):
        x = 1
        for _ in range(n):
            x = x * 3
        return x

    assert f(np.int64(70)) == 3**70
    with pytest.raises(OverflowError) as caught:
        ag.function(f)(np.int64(70))
    assert isinstance(caught.value, ag.GraphRuntimeError) and caught.value.code == "AG203"


def test_a_class_and_code_that_are_replaced_are_not_seen() -> None:
    class One:
        rate = 1.0

    class Other:
        rate = 2.0

    def g():
        return 1.0

    def h():
        return 2.0

    one = One()
    w = np.ones((2, 3))

    def f(x):
        return x * one.rate * g() + w.shape[0]

    staged = ag.function(f)
    assert staged(3.0) == f(3.0) == 5.0
    w.shape = (3, 2)
    assert staged(3.0) == 5.0 and f(3.0) == 6.0
    g.__code__ = h.__code__
    assert staged(3.0) == 5.0 and f(3.0) == 9.0
    one.__class__ = Other  # type: ignore[assignment]
    assert staged(3.0) == 5.0 and f(3.0) == 15.0
    assert ag.function(f)(3.0) == 15.0


def test_values_in_rising_order() -> None:
    given = ag.function(lambda x: np.unique_values(x))(np.array([5, 1, 300, 1, -7]))
    assert given.tolist() == [-7, 1, 5, 300]
    assert sorted(np.unique_values(np.array([5, 1, 300, 1, -7])).tolist()) == given.tolist()


def test_only_arrays_that_were_read_are_compared() -> None:
    read, met = np.ones(3), np.ones(3)
    staged = ag.function(lambda x: x * met + read.sum())
    assert staged(np.ones(3)).tolist() == [4.0, 4.0, 4.0]
    met[0] = 2.0
    assert staged(np.ones(3)).tolist() == [5.0, 4.0, 4.0] and staged.retraces == []
    read[0] = 2.0
    assert staged(np.ones(3)).tolist() == [6.0, 5.0, 5.0]
    assert staged.retraces == ["the contents of an array changed"]


@dataclasses.dataclass
class Node:
    """A node of a list that a program walks."""

    value: Any
    next: Any = None


def last_value(node: Node) -> Any:
    while node.next is not None:
        node = node.next
    return node.value


def last_node(node: Node) -> Any:
    while node.next is not None:
        node = node.next
    return node


def test_arrays_of_nodes_that_are_walked_are_arrays_of_their_own() -> None:
    first = Node(np.zeros(2), Node(np.zeros(2), Node(np.ones(2))))
    found = ag.function(last_value)(first)
    assert found.tolist() == [1.0, 1.0] and found is not last_value(first)
    assert ag.function(last_node)(first) is last_node(first)


def test_equal_elements_keep_their_order() -> None:
    x = np.random.default_rng(0).integers(0, 5, 200)
    staged = ag.function(lambda x: np.argsort(x))
    assert staged(x).tolist() == np.argsort(x, kind="stable").tolist()


def test_the_sides_of_a_partition_keep_their_order() -> None:
    x = np.random.default_rng(0).permutation(5000).astype(float)
    expected = np.partition(x, 700)
    got = ag.function(lambda x: np.partition(x, 700))(x)
    assert got.tolist() == [*x[x < 700], 700, *x[x > 700]] != expected.tolist()
    assert got[700] == expected[700]
    assert set(got[:700]) == set(expected[:700])
    places = ag.function(lambda x: np.argpartition(x, 700))(x)
    assert x[places].tolist() == got.tolist() != x[np.argpartition(x, 700)].tolist()


def test_vectors_may_have_the_other_sign() -> None:
    a = np.random.default_rng(0).normal(size=(3, 3))
    left, values, right = ag.function(lambda a: tuple(np.linalg.svd(a)))(a)
    want = np.linalg.svd(a)
    np.testing.assert_allclose(values, want[1])
    np.testing.assert_allclose(np.abs(left), np.abs(want[0]))
    np.testing.assert_allclose(left @ np.diag(values) @ right, a, atol=1e-12)


def test_sums_are_rounded_in_another_order_and_products_are_not() -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 10_007))
    total, plain = ag.function(lambda x, y: (np.sum(x), (x * y, x / y, x - y, np.sqrt(y * y), x**2)))(x, y)
    np.testing.assert_allclose(total, np.sum(x), rtol=1e-12)
    for got, want in zip(plain, (x * y, x / y, x - y, np.sqrt(y * y), x**2), strict=True):
        assert got.tobytes() == want.tobytes()


def test_what_a_graph_has_no_value_for_fails_where_it_runs() -> None:
    def ordered(x, y):
        return sorted([x, y])

    staged = ag.function(ordered)
    assert staged(np.float64(2.0), np.float64(1.0)) == [1.0, 2.0]
    with pytest.raises(ag.GraphRuntimeError, match="NaN") as caught:
        staged(np.float64(np.nan), np.float64(1.0))
    assert caught.value.code == "AG201" and caught.value.location is not None


def test_a_nan_is_not_found_in_a_list() -> None:
    def f(x, n):
        grown = []
        for _ in range(n):
            grown.append(x)
        return x in grown, [x].count(x)

    nan = float("nan")
    assert f(nan, np.int64(2)) == (True, 1)
    assert ag.function(f)(nan, np.int64(2)) == (False, 0)
    assert ag.function(lambda x: (x in [x], x in (1.0, x), [x] == [x]))(nan) == (True, True, True)


def test_the_first_index_by_axes_is_named() -> None:
    def f(x, places):
        return np.take_along_axis(x, places, -1)

    places = np.arange(6).reshape(2, 3).T
    with pytest.raises(IndexError, match="index 2 is out of bounds"):
        f(places, places)
    with pytest.raises(IndexError, match="index 3 is out of bounds"):
        ag.function(f)(places, places)


def test_a_complex_constant_on_the_left_of_equal() -> None:
    left, right = (lambda x: 2j == x), (lambda x: x == 2j)
    x = np.float64(1.5)
    assert left(x) is False and type(right(x)) is np.bool_
    assert type(ag.function(left)(x)) is np.bool_ and type(ag.function(right)(x)) is np.bool_


def test_an_operand_that_python_never_asks() -> None:
    def text(x):
        return "ab" % x  # noqa: F507, UP031

    assert ag.function(text)(2.5) == "ab"
    with pytest.raises(TypeError, match="not all arguments converted"):
        text(2.5)

    def dtype(x):
        return np.dtype(float) == x

    assert ag.function(dtype)(np.ones(2)) is True and dtype(np.ones(2)).tolist() == [False, False]


def test_an_array_that_nobody_reads_is_never_made() -> None:
    def f(n, count):
        size = 0
        for _ in range(count):
            size = n
        np.arange(size)
        return size

    arguments = 2**53 + 1, np.int64(6)
    with pytest.raises(MemoryError):
        f(*arguments)
    assert ag.function(f)(*arguments) == 2**53 + 1


LOG: list[float] = []


def test_what_a_py_function_changes_is_seen_by_the_next_call() -> None:
    note = ag.py_function(lambda x: LOG.append(float(x)), result=None)

    @ag.function
    def noted(x: Any) -> Any:
        note(x)
        return len(LOG)

    assert [noted(1.0), noted(2.0)] == [0, 1]  # CPython: 1, 2
    assert LOG == [1.0, 2.0]


def test_the_larger_of_two_variables_is_a_value() -> None:
    v, w = ag.Variable(1.0), ag.Variable(2.0)

    def larger() -> Any:
        return max(v, w)

    assert larger() is w
    assert ag.function(larger)() == 2.0 and type(ag.function(larger)()) is np.float64
