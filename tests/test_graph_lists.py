"""Lists of the graph as the builder's callers see them: types, results, parameters, failures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from autograph import _core
from numpy.typing import NDArray

NUMBERS: _core.GraphType = ("list", ("float64", []))
ROWS: _core.GraphType = ("list", ("int64", [2]))


def number(builder: _core.GraphBuilder, value: int) -> int:
    return builder.constant("int64", [], np.int64(value).tobytes())


def both_ways(graph: _core.Graph, inputs: list[NDArray[Any]]) -> list[NDArray[Any]]:
    """What the graph gives, all results lists, from the interpreter and compiled."""

    def show(site: int, arrays: list[NDArray[Any]]) -> None:
        raise AssertionError("nothing is printed")

    expected = graph.interpret(inputs, show)
    results = graph.compile().run(inputs, [None] * len(expected), show)
    for result, wanted in zip(results, expected, strict=True):
        assert result.dtype == wanted.dtype
        np.testing.assert_array_equal(result, wanted)
    return results


def test_types_are_told_as_they_are_given() -> None:
    builder = _core.GraphBuilder("f")
    assert builder.type_of(builder.function_param_of(NUMBERS)) == NUMBERS
    assert builder.type_of(builder.param_of(("float32", [3]))) == ("float32", [3])
    nested = builder.list_make(ROWS, [])
    assert builder.type_of(nested) == ("list", ROWS)


def test_a_list_grows_in_a_loop() -> None:
    builder = _core.GraphBuilder("f")
    values = builder.function_param_of(NUMBERS)
    zero, one, count = (number(builder, value) for value in (0, 1, 4))
    builder.open()
    i = builder.param("int64", [])
    carried = builder.param_of(NUMBERS)
    longer = builder.list_append(carried, builder.cast(i, "float64"))
    (result,) = builder.for_((zero, count, one), [values], builder.close([longer]))
    rest, last = builder.list_pop(result)
    swapped = builder.list_set(rest, zero, last)
    shorter = builder.list_delete(swapped, one)
    both = builder.list_concatenate(shorter, values)
    some = builder.list_slice(both, one, count, one)
    graph = builder.finish([result, builder.list_reverse(both), builder.list_insert(some, zero, last)], [])
    grown, joined, sliced = both_ways(graph, [np.array([5.0, 6.0])])
    assert grown.tolist() == [5.0, 6.0, 0.0, 1.0, 2.0, 3.0]
    assert joined.tolist() == [6.0, 5.0, 2.0, 1.0, 0.0, 3.0]
    assert sliced.tolist() == [3.0, 0.0, 1.0, 2.0]


def test_rows_and_arrays() -> None:
    builder = _core.GraphBuilder("f")
    array = builder.function_param("int64", [3, 2])
    rows = builder.list_unstack(array)
    one = number(builder, 1)
    copy = builder.list_stack(builder.list_append(rows, builder.list_get(rows, one)), 4)
    lengths = builder.list_make(("int64", []), [builder.list_length(rows)])
    graph = builder.finish([builder.list_unstack(copy), lengths], [])
    given = np.array([[1, 2], [3, 4], [5, 6]])
    stacked, length = both_ways(graph, [given])
    assert stacked.tolist() == [*given.tolist(), [3, 4]]
    assert length.tolist() == [3]


def test_an_empty_list_comes_and_goes() -> None:
    builder = _core.GraphBuilder("f")
    graph = builder.finish([builder.list_reverse(builder.function_param_of(ROWS))], [])
    (result,) = both_ways(graph, [np.empty((0, 2), np.int64)])
    assert result.shape == (0, 2)


def test_failures_have_the_words_of_python() -> None:
    builder = _core.GraphBuilder("f")
    values = builder.function_param_of(NUMBERS)
    graph = builder.finish([builder.list_pop(values)[0]], [])
    expected: tuple[Any, ...] = ("check", None, ("IndexError", "pop from empty list", None, []), [], [], [])
    with pytest.raises(_core.GraphFailure) as interpreted:
        graph.interpret([np.empty(0)], print)
    assert interpreted.value.args == expected
    with pytest.raises(_core.GraphFailure) as compiled:
        graph.compile().run([np.empty(0)], [None], print)
    assert compiled.value.args == expected


def test_what_does_not_fit_is_refused() -> None:
    builder = _core.GraphBuilder("f")
    values = builder.function_param_of(NUMBERS)
    with pytest.raises(_core.GraphError, match=r"^a i64\[\] in a list of f64\[\]$"):
        builder.list_append(values, number(builder, 1))
    with pytest.raises(_core.GraphError, match=r"^needs an array, got a list<f64\[\]>$"):
        builder.unary("negative", values)
    graph = builder.finish([values], [])
    with pytest.raises(TypeError, match="inputs that are not the graph's"):
        graph.compile().run([np.zeros((2, 2))], [None], print)
