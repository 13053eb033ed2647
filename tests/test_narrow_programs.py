"""Programs over narrow dtypes give what they give in plain Python: branches, loops, lists, writes."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import autograph as ag
import narrow_programs
import narrow_uses
import numpy as np
import pytest
from narrow_cases import NARROW, border, difference, is_same, outcome

REFUSED = {
    ("uint64", "divisors"): "AG103",
    ("uint64", "number_beyond_64_bits"): "AG203",
    ("float16", "running"): "AG103",
    ("float16", "statistics"): "AG103",
}
"""Programs that are refused for a dtype, though plain Python runs them; NumPy rounds float16 in each step."""


def laid_out(dtype: str, layout: str) -> np.ndarray:
    """The array of a dtype: as it is, every second element of a larger one, or backwards."""
    values = border(dtype)
    return {"dense": values, "strided": np.repeat(values, 2)[::2], "backwards": values[::-1]}[layout]


PROGRAMS = [*narrow_programs.PROGRAMS, *narrow_uses.USES]

OF_MEMORY = ("written", "view", "in_place", "items", "reversed", "shapes", "copied", "out", "fails")

LAYOUTS = [(program, "dense") for program in PROGRAMS] + [
    (program, layout)
    for program in PROGRAMS
    for layout in ("strided", "backwards")
    if any(word in program.__name__ for word in OF_MEMORY)
]
"""Programs that write or look at memory get arrays of each layout."""


@pytest.mark.parametrize("dtype", NARROW)
@pytest.mark.parametrize(("program", "layout"), LAYOUTS, ids=lambda one: getattr(one, "__name__", one))
def test_programs(program: Any, dtype: str, layout: str) -> None:
    args = (laid_out(dtype, layout), np.dtype(dtype).type(3))
    code = REFUSED.get((dtype, program.__name__))
    if code is not None:
        found, error, _ = outcome(ag.function(program), args)
        assert found != "gives" and error.code == code, error
        return
    texts = []
    for call in (program, ag.function(program)):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            outcome(call, args)
        texts.append(printed.getvalue())
    assert texts[0] == texts[1]
    kind, plain, _ = outcome(program, args)
    if kind == "raises":
        found, error, _ = outcome(ag.function(program), args)
        assert found != "gives" and isinstance(error, (type(plain), ag.AutographError)), (plain, error)
        return
    with contextlib.redirect_stdout(io.StringIO()):
        assert difference(program, args, may_refuse=False, near=True) is None


@pytest.mark.parametrize("dtype", NARROW)
@pytest.mark.parametrize("size", [0, 1])
def test_small_arrays(dtype: str, size: int) -> None:
    def program(x: Any) -> Any:
        total = x.dtype.type(0)
        for value in x:
            total = total + value
        return total, x + 1, x.astype(float), x[::-1]

    assert difference(program, (border(dtype)[:size],), may_refuse=False) is None


@pytest.mark.parametrize("dtype", NARROW)
def test_one_graph_for_many_sizes(dtype: str) -> None:
    program = ag.function(lambda x: x + x[:1])
    for size in (2, 3, 4, 5, 6):
        x = border(dtype)[:size]
        assert is_same(program(x), outcome(lambda x: x + x[:1], (x,))[1])
    assert len(program.signatures()) < 5


def test_an_argument_comes_back_as_itself() -> None:
    x, k = np.arange(3, dtype=np.int16), np.uint16(3)
    assert ag.function(lambda x, k: x)(x, k) is x
    assert ag.function(lambda x, k: (k, np.int16(k)))(x, k) == (k, np.int16(3))
    assert ag.function(lambda x, k: np.int32(k))(x, k).dtype == np.int32


def test_a_global_array_is_read_at_each_call() -> None:
    table = np.arange(3, dtype=np.uint16)
    program = ag.function(lambda x: x + table)
    assert program(np.ones(3, np.uint16)).tolist() == [1, 2, 3]
    table[0] = 9
    assert program(np.ones(3, np.uint16)).tolist() == [10, 2, 3]


def test_a_failing_run_leaves_what_it_wrote() -> None:
    def program(x: Any, d: Any) -> Any:
        x[0] = 7
        if d[0] > 0:
            raise ValueError("stopped")
        return x

    for dtype in NARROW:
        x = border(dtype)
        with pytest.raises(ValueError, match="stopped"):
            ag.function(program)(x, np.ones(1))
        assert x[0] == 7 and is_same(x[1:], border(dtype)[1:])


def test_a_read_only_array_is_not_written() -> None:
    def program(x: Any) -> Any:
        x[0] = 1
        return x

    for dtype in (*NARROW, "float64"):
        x = border(dtype)
        x.flags.writeable = False
        with pytest.raises(ValueError, match="assignment destination is read-only"):
            ag.function(program)(x)
        assert is_same(x, border(dtype))


def test_input_signature() -> None:
    specs = [ag.ArraySpec((None,), np.int16), ag.ArraySpec((), np.uint8)]
    program = ag.function(lambda x, k: x * k, input_signature=specs)
    assert is_same(program(np.array([300, -4], np.int16), 200), np.array([-5536, -800], np.int16))
    assert program.signatures() == ["(x: i16[?], k: u8)"]
    with pytest.raises(ag.StagingError, match="input signature says"):
        program(np.ones(2, np.int32), 3)


ROWS = {
    "an array": lambda x: x[1],
    "an array of int64": lambda x: np.arange(x.shape[-1]),
    "an array of float64": lambda x: np.arange(x.shape[-1]) + 0.5,
    "a list": lambda x: [1, 2, 3],
    "a list of staged": lambda x: [x[1, 0], x[1, 1], x[0, 0]],
    "a number": lambda x: 5,
    "a staged number": lambda x: x[1, 1],
    "its first half twice": lambda x: x[0] + x[1],
}
INDICES = {
    "a row": lambda x: 0,
    "a staged row": lambda x: int(x[1, 0]) % 2,
    "a row and all": lambda x: (0, slice(None)),
    "an ellipsis": lambda x: (1, ...),
    "rows": lambda x: slice(0, 2),
    "a mask": lambda x: np.array([True, False, True]),
    "indices": lambda x: np.array([2, 0]),
}


def written_row(x, index, row):
    y = x + x
    y[index(x)] = row(x)
    y[index(x)] += row(x) if isinstance(row(x), np.ndarray) and row(x).dtype == y.dtype else y[1]
    return y, y.T


@pytest.mark.parametrize(
    "dtype", ["int8", "int16", "uint8", "uint16", "uint32", "uint64", "float16", "complex64"]
)
@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("row", ROWS)
def test_rows_are_written(row, index, dtype):
    x = np.arange(9).reshape(3, 3).astype(dtype)
    if dtype == "complex64" and index == "a staged row":
        return
    for _ in range(2):
        found = ag.function(written_row)(x, INDICES[index], ROWS[row])
        for one, wanted in zip(found, written_row(x, INDICES[index], ROWS[row]), strict=True):
            np.testing.assert_array_equal(one, wanted, strict=True)


def stacked_rows(x):
    rows = []
    for row in x:
        rows.append(row + row)
    return np.stack(rows), np.array(rows), len(rows), rows[-1]


@pytest.mark.parametrize(
    "dtype", ["int8", "uint16", "uint64", "float16", "complex64", "complex128", "float32"]
)
def test_lists_of_rows_of_any_size(dtype):
    staged = ag.function(stacked_rows)
    for rows, columns in ((2, 3), (3, 5), (4, 6), (5, 7), (1, 1), (0, 4), (6, 0)):
        x = np.arange(rows * columns).reshape(rows, columns).astype(dtype)
        try:
            wanted = stacked_rows(x)
        except (ValueError, IndexError) as error:
            with pytest.raises(type(error)):
                staged(x)
            continue
        for one, other in zip(staged(x), wanted, strict=True):
            np.testing.assert_array_equal(one, other, strict=True)
    assert len(staged.signatures()) < 7
