"""Graphs on arrays whose sizes only the run knows: NumPy's results, and NumPy's words where it raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
from autograph import _core
from autograph._src.concrete import FastParts
from autograph._src.floating_modes import MODES
from autograph._src.trees import flatten
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Case: TypeAlias = tuple[Callable[..., list[int]], Callable[..., Any]]

FLOATS: _core.GraphType = ("float64", [None])
MASK: _core.GraphType = ("bool", [None])
TABLE: _core.GraphType = ("float64", [None, None])
PARAMS = (FLOATS, FLOATS, MASK, TABLE)


def number(builder: _core.GraphBuilder, value: int) -> int:
    return builder.constant("int64", [], np.int64(value).tobytes())


def masked(b: _core.GraphBuilder, x: int, mask: int) -> int:
    return b.gather(x, b.nonzero(mask), 0)


def outcome(run: Callable[[], Any]) -> tuple[str, Any]:
    """What a run gives, as text that tells arrays apart, or the exception with its message."""
    try:
        return "gives", [(str(np.asarray(one).dtype), np.asarray(one).tolist()) for one in run()]
    except _core.GraphFailure as failure:
        kind, _, details, *_ = failure.args
        if kind == "index":
            index, axis, size = details
            return "IndexError", f"index {index} is out of bounds for axis {axis} with size {size}"
        return details[0], details[1]
    except (ValueError, IndexError) as error:
        return type(error).__name__, str(error)


# How a graph has it, and NumPy: of two arrays, a mask, and a table.
CASES: dict[str, Case] = {
    "add": (lambda b, x, y, m, t: [b.binary("add", x, y)], lambda x, y, m, t: [x + y]),
    "broadcast add": (lambda b, x, y, m, t: [b.binary("add", t, x)], lambda x, y, m, t: [t + x]),
    "chain": (
        lambda b, x, y, m, t: [b.binary("subtract", b.binary("multiply", x, x), y)],
        lambda x, y, m, t: [x * x - y],
    ),
    "where": (lambda b, x, y, m, t: [b.select(m, x, y)], lambda x, y, m, t: [np.where(m, x, y)]),
    "mask": (lambda b, x, y, m, t: [masked(b, x, m)], lambda x, y, m, t: [x[np.nonzero(m)]]),
    "rows": (lambda b, x, y, m, t: [masked(b, t, m)], lambda x, y, m, t: [t[np.nonzero(m)]]),
    "nonzero": (
        lambda b, x, y, m, t: b.nonzero(b.binary("greater", t, x)),
        lambda x, y, m, t: list(np.nonzero(t > x)),
    ),
    "sum": (lambda b, x, y, m, t: [b.reduce("sum", t, [0], False)], lambda x, y, m, t: [t.sum(axis=0)]),
    "max": (lambda b, x, y, m, t: [b.reduce("max", x, [0], False)], lambda x, y, m, t: [x.max()]),
    "min": (
        lambda b, x, y, m, t: [b.reduce("min", t, [1], True)],
        lambda x, y, m, t: [t.min(axis=1, keepdims=True)],
    ),
    "argmax": (lambda b, x, y, m, t: [b.arg_reduce("max", x, 0)], lambda x, y, m, t: [x.argmax()]),
    "argmin": (lambda b, x, y, m, t: [b.arg_reduce("min", t, 1)], lambda x, y, m, t: [t.argmin(axis=1)]),
    "argsort": (lambda b, x, y, m, t: [b.arg_sort(x, 0)], lambda x, y, m, t: [np.argsort(x, kind="stable")]),
    "cumsum": (lambda b, x, y, m, t: [b.cumulative("sum", t, 0)], lambda x, y, m, t: [np.cumsum(t, axis=0)]),
    "concatenate": (
        lambda b, x, y, m, t: [b.concatenate([x, y], 0)],
        lambda x, y, m, t: [np.concatenate([x, y])],
    ),
    "stack rows": (
        lambda b, x, y, m, t: [b.concatenate([t, b.reshape(x, [1, None], [number(b, -1)])], 0)],
        lambda x, y, m, t: [np.concatenate([t, x.reshape(1, -1)])],
    ),
    "matmul": (
        lambda b, x, y, m, t: [b.dot(t, y, ([1], [0]), ([], []))],
        lambda x, y, m, t: [t @ y],
    ),
    "slice": (
        lambda b, x, y, m, t: [b.slice_range(x, b.size(y, 0), b.size(x, 0), number(b, 1), 0)],
        lambda x, y, m, t: [x[len(y) :]] if len(y) <= len(x) else [x[:0]],
    ),
    "reversed": (
        lambda b, x, y, m, t: [
            b.slice_range(
                x, b.binary("subtract", b.size(x, 0), number(b, 1)), number(b, -1), number(b, -1), 0
            )
        ],
        lambda x, y, m, t: [x[::-1]],
    ),
    "slice step": (
        lambda b, x, y, m, t: [b.slice_range(x, number(b, 0), b.size(x, 0), number(b, 0), 0)],
        lambda x, y, m, t: [x[:: int(0 * len(x))]],
    ),
    "arange": (
        lambda b, x, y, m, t: [b.iota_to("int64", b.size(t, 1))],
        lambda x, y, m, t: [np.arange(t.shape[1])],
    ),
    "pairs": (
        lambda b, x, y, m, t: [b.reshape(x, [None, 2], [number(b, -1)])],
        lambda x, y, m, t: [x.reshape(-1, 2)],
    ),
    "columns": (
        lambda b, x, y, m, t: [b.reshape(x, [2, None], [number(b, -1)])],
        lambda x, y, m, t: [x.reshape(2, -1)],
    ),
    "square": (lambda b, x, y, m, t: [b.reshape(x, [2, 2])], lambda x, y, m, t: [x.reshape(2, 2)]),
    "broadcast_to": (
        lambda b, x, y, m, t: [b.broadcast(x, [2, None], [b.size(y, 0)])],
        lambda x, y, m, t: [np.broadcast_to(x, (2, len(y)))],
    ),
    "last": (lambda b, x, y, m, t: [b.gather(x, [number(b, -1)], 0)], lambda x, y, m, t: [x[-1]]),
    "row": (lambda b, x, y, m, t: [b.gather(t, [number(b, 1)], 0)], lambda x, y, m, t: [t[1]]),
}


def compiled(graph: _core.Graph, types: list[_core.GraphType], inputs: list[Array]) -> list[Array]:
    outputs = [None if None in sizes else np.empty(sizes, dtype) for dtype, sizes in types]
    outputs = [output if output is None or output.shape else output.reshape(1) for output in outputs]
    results = graph.compile().run(inputs, outputs, print)
    return [
        result.reshape([size or length for size, length in zip(sizes, result.shape, strict=False)])
        if None not in sizes
        else result
        for result, (_, sizes) in zip(results, types, strict=True)
    ]


@pytest.mark.parametrize("name", CASES)
def test_results_and_failures_are_those_of_numpy(name: str) -> None:
    staged, plain = CASES[name]
    builder = _core.GraphBuilder("f")
    results = staged(builder, *(builder.function_param_of(ty) for ty in PARAMS))
    types = [builder.type_of(result) for result in results]
    graph = builder.finish(results, [])
    random = np.random.default_rng(3)
    for n, k, rows in [
        (3, 3, 3),
        (4, 4, 2),
        (3, 4, 1),
        (1, 4, 3),
        (0, 0, 2),
        (4, 1, 4),
        (0, 3, 0),
        (5, 5, 5),
    ]:
        inputs = [random.random(n), random.random(k), random.random(n) > 0.5, random.random((rows, n))]
        if name == "rows" and rows != n:
            continue

        def by_numpy(inputs: list[Array] = inputs) -> Any:
            return plain(*inputs)

        def by_interpreter(inputs: list[Array] = inputs) -> Any:
            return graph.interpret(inputs, print)

        def by_engine(inputs: list[Array] = inputs) -> Any:
            return compiled(graph, types, inputs)

        expected = outcome(by_numpy)
        for run in (by_interpreter, by_engine):
            kind, value = outcome(run)
            assert kind == expected[0], (n, k, rows, value, expected)
            if kind == "gives":
                for (dtype, found), (wanted_dtype, wanted) in zip(value, expected[1], strict=True):
                    assert dtype == wanted_dtype
                    np.testing.assert_allclose(found, wanted, rtol=1e-12)
            else:
                assert value == expected[1], (n, k, rows)


def test_types_are_told_as_they_are_given() -> None:
    builder = _core.GraphBuilder("f")
    table = builder.param_of(("float32", [None, 3]))
    assert builder.type_of(table) == ("float32", [None, 3])
    assert builder.type_of(builder.slice(table, [0, 2], [None, 1], [1, 1])) == ("float32", [None, 1])
    assert builder.type_of(builder.with_shape(table, [4, 3])) == ("float32", [4, 3])
    with pytest.raises(_core.GraphError, match=r"a list of float32|a list of f32\[\?, 3\]"):
        builder.list_make(("float32", [None, 3]), [table])


def test_an_array_grows_in_a_loop() -> None:
    builder = _core.GraphBuilder("f")
    values = builder.function_param_of(FLOATS)
    bounds = (number(builder, 0), number(builder, 1000), number(builder, 1))
    builder.open()
    i = builder.param("int64", [])
    carried = builder.param_of(FLOATS)
    item = builder.reshape(builder.cast(i, "float64"), [1])
    (grown,) = builder.for_(bounds, [values], builder.close([builder.concatenate([carried, item], 0)]))
    graph = builder.finish([grown, values], [])
    start = np.array([5.0, 6.0])
    result, same = graph.compile().run([start], [None, None], print)
    np.testing.assert_array_equal(result, np.concatenate([start, np.arange(1000.0)]))
    np.testing.assert_array_equal(same, [5.0, 6.0])


def test_a_shape_that_is_not_there_has_its_own_words() -> None:
    builder = _core.GraphBuilder("f")
    x = builder.function_param_of(FLOATS)
    graph = builder.finish([builder.with_shape(x, [2], "not enough values to unpack")], [])
    assert outcome(lambda: graph.interpret([np.ones(2)], print))[0] == "gives"
    failing = graph.compile()
    with pytest.raises(_core.GraphFailure) as raised:
        failing.run([np.ones(3)], [np.empty(2)], print)
    assert raised.value.args[:3] == ("check", None, ("ValueError", "not enough values to unpack", None, []))


def test_a_call_without_python_gives_an_array_of_its_size() -> None:
    builder = _core.GraphBuilder("f")
    x = builder.function_param("float64", [6])
    limit = builder.constant("float64", [], np.float64(2.5).tobytes())
    kept = masked(builder, x, builder.binary("greater", x, limit))
    executable = builder.finish([kept, builder.reduce("sum", kept, [0], False)], []).compile()

    class Function(_core.Dispatcher):
        def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
            raise AssertionError("the call is one that needs no Python")

    function: Any = Function()
    given = np.arange(6.0)
    double = np.dtype("float64")
    shape = _core.ResultShape([("leaf", 0, None), ("leaf", 1, None), ("tuple", 0, 2), ("made", 0, None)], 1)
    leaves = [("array", double), ("python", double)]
    parts = FastParts(executable, print, [0], [None], [], leaves, shape, (MODES, [], [], [], None), False)
    structure, _ = flatten(((given,), {}), [])
    function._add_fast((structure, [given], True), [], object(), parts)
    for array in (given, given[::-1].copy(), np.zeros(6)):
        found, total = function(array)
        np.testing.assert_array_equal(found, array[array > 2.5])
        assert total == found.sum()
