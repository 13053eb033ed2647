"""What a function of `ag.vmap` may give and write, and what derivatives say of results that are objects."""

from __future__ import annotations

from typing import Any

import autograph as ag
import numpy as np
import pytest

X = np.array([[1.0, 2.0, -1.0], [0.5, -3.0, 4.0], [2.0, 2.0, 2.0]])


def first_negative(x: Any) -> Any:
    for value in x:
        if value < 0.0:
            return value * 2.0
    return np.sum(x)


def position(x: Any) -> Any:
    for value in x:
        if value < 0.0:
            return value, x * value
    return np.sum(x), x


def none_without(x: Any) -> Any:
    for value in x:
        if value < 0.0:
            return value
    return None


def written(x: Any) -> Any:
    x[0] = x[1] * x[2]
    x += 1.0
    return x.sum()


def in_a_dict(x: Any) -> Any:
    for value in x:
        if value < 0.0:
            return {"value": value}
    return {"value": x[0]}


def test_a_return_in_a_loop_is_a_value_of_each_row() -> None:
    assert ag.vmap(first_negative)(X).tolist() == [first_negative(row) for row in X]
    values, scaled = ag.vmap(position)(X)
    assert values.tolist() == [position(row)[0] for row in X]
    assert np.array_equal(scaled, np.stack([position(row)[1] for row in X]))
    assert ag.vmap(ag.grad(first_negative))(X).tolist() == [[0, 0, 2], [0, 2, 0], [1, 1, 1]]


def test_a_row_without_a_value_fails() -> None:
    assert ag.vmap(none_without)(X[:2]).tolist() == [-1.0, -3.0]
    with pytest.raises(
        ag.GraphRuntimeError, match="a value for each row, and for one row it returned None"
    ) as caught:
        ag.vmap(none_without)(X)
    assert isinstance(caught.value, TypeError)


def test_a_row_may_be_written() -> None:
    before = X.copy()
    found = ag.vmap(written)(X)
    assert found.tolist() == [written(row) for row in X.copy()]
    assert np.array_equal(X, before)
    assert np.array_equal(ag.vmap(ag.grad(written))(X)[0], [0.0, -1.0 + 1.0, 2.0 + 1.0])


def test_what_is_from_around_is_not_written() -> None:
    around = np.zeros(3)

    def outer(x: Any, total: Any) -> Any:
        def inner(row: Any) -> Any:
            total[0] = row[0]
            return row

        return ag.vmap(inner)(x)

    with pytest.raises(ag.StagingError, match="is from around a function of") as caught:
        ag.function(outer)(X, around)
    assert caught.value.code == "AG145"


class Holder:
    def __init__(self, value: Any) -> None:
        self.value = value


def in_an_object(x: Any) -> Any:
    for value in x:
        if value < 0.0:
            return Holder(value)
    return Holder(x[0])


def test_dicts_of_loops_have_derivatives() -> None:
    for row in X:
        value, tangent = ag.jvp(in_a_dict, (row,), (2.0 * row,))
        assert value == in_a_dict(row) and tangent == {"value": 2.0 * value["value"]}


def test_objects_of_loops_have_no_derivatives() -> None:
    with pytest.raises(ag.StagingError, match="the result holds an object") as caught:
        ag.jvp(in_an_object, (X[0],), (X[0],))
    assert caught.value.code == "AG142" and caught.value.location.file == __file__


def test_the_jacobian_of_a_list_is_a_list() -> None:
    def products(x: Any) -> Any:
        found = []
        for value in x:
            found.append(value * x)
        return found

    x = X[0]
    found = ag.jacfwd(products)(x)
    assert type(found) is list
    for place, one in enumerate(found):
        assert np.array_equal(one, ag.jacfwd(lambda x, place=place: x[place] * x)(x))
    with pytest.raises(ag.StagingError, match="returns a list that a staged statement makes") as caught:
        ag.jacfwd(lambda x: products(x[0]))(X)
    assert caught.value.code == "AG142"


def test_a_dict_of_each_row_is_a_dict_of_rows() -> None:
    assert ag.vmap(in_a_dict)(X)["value"].tolist() == [in_a_dict(row)["value"] for row in X]


def test_a_list_that_may_be_none_is_that_of_the_row() -> None:
    def chosen(a, b):
        other = [b, b]
        xs = []
        if a > 0.0:
            xs.append(a)
            return xs
        if a < -5.0:
            return other

    found = ag.vmap(chosen)(np.array([1.0, 2.0]), np.ones(2))
    np.testing.assert_array_equal(found, [[1.0, 2.0]])

    def empty(a):
        xs = []
        if a:
            return xs

    assert ag.vmap(empty)(np.array([1.0, 2.0])) == []
