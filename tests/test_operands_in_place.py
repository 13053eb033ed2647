"""Element-wise ops on operands of all layouts, in loops that overwrite one, and products of narrow matrices.

Sums and products have loops of their own for a result in the memory of an operand, and for an operand that is
one element (a scalar, or an element of a column along a long row): every op, side, type and layout
is tried, to the bit.
"""

from __future__ import annotations

from typing import Any

import autograph as ag
import numpy as np
import pytest

OPS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "less": lambda a, b: a < b,
    "equal": lambda a, b: a == b,
    "chain": lambda a, b: (a - b) * (a + b) - b,
    "twice": lambda a, b: (a * b) * a,
}
SHAPES = [(3, 5), (1, 300), (7, 1), (4, 257), (2, 3000), (300, 2), (100, 3), (50, 4), (0, 4), (3, 0)]
DTYPES = [np.float32, np.float64, np.int64]


def layouts(rng: np.random.Generator, shape: tuple[int, int], dtype: Any) -> dict[str, Any]:
    """Second operands of an array of this shape."""

    def values(*sizes: int) -> Any:
        return (rng.integers(-4, 5, sizes) + (0 if dtype is np.int64 else 0.5)).astype(dtype)

    rows, columns = shape
    return {
        "array": values(*shape),
        "scalar": dtype(3),
        "row": values(columns),
        "column": values(rows, 1),
        "one": values(1, 1),
        "strided": values(rows, 2 * columns)[:, ::2],
        "turned": values(columns, rows).T,
    }


def same(result: Any, expected: Any) -> None:
    assert np.asarray(result).dtype == np.asarray(expected).dtype
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", OPS)
def test_every_layout_on_both_sides(name: str, shape: tuple[int, int], dtype: Any) -> None:
    rng = np.random.default_rng(0)
    op = OPS[name]

    @ag.function
    def both(a: Any, b: Any) -> Any:
        return op(a, b), op(b, a)

    a = layouts(rng, shape, dtype)["array"]
    with np.errstate(all="ignore"):
        for b in layouts(rng, shape, dtype).values():
            for result, expected in zip(both(a, b), (op(a, b), op(b, a)), strict=True):
                same(result, expected)


@pytest.mark.parametrize("dtype", DTYPES[:2], ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", [name for name in OPS if name not in ("less", "equal")])
def test_loops_overwrite_either_operand(name: str, shape: tuple[int, int], dtype: Any) -> None:
    rng = np.random.default_rng(1)
    op = OPS[name]

    def first(a: Any, b: Any, count: int) -> Any:
        for _ in range(count):
            a = op(a, b)
        return a

    def second(a: Any, b: Any, count: int) -> Any:
        for _ in range(count):
            a = op(b, a)
        return a

    def itself(a: Any, b: Any, count: int) -> Any:
        for _ in range(count):
            a = op(a, a)
            a = op(a, b)
        return a

    a = layouts(rng, shape, dtype)["array"]
    count = np.int64(3)
    with np.errstate(all="ignore"):
        for b in layouts(rng, shape, dtype).values():
            for function in (first, second, itself):
                same(ag.function(function)(a, b, count), function(a, b, count))


@pytest.mark.parametrize("dtype", DTYPES[:2], ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("few", range(1, 8))
@pytest.mark.parametrize("many", [0, 1, 2, 8, 31, 32, 33, 100, 1000])
def test_products_of_narrow_matrices(many: int, few: int, dtype: Any) -> None:
    rng = np.random.default_rng(2)

    def values(*sizes: int) -> Any:
        return rng.standard_normal(sizes).astype(dtype)

    @ag.function
    def products(matrix: Any, long: Any, short: Any) -> Any:
        return long @ matrix, matrix @ short, np.outer(long, short), matrix.T @ long, short @ matrix.T

    @ag.function
    def added(matrix: Any, long: Any, short: Any) -> Any:
        total, sums = np.zeros_like(matrix), np.zeros_like(short)
        for _ in range(3):
            total = total + np.outer(long, short)
            sums = sums + long @ matrix
        return total, sums

    matrix, long, short = values(many, few), values(many), values(few)
    tolerance = {"rtol": 0, "atol": 40 * np.finfo(dtype).eps * max(many, 1)}
    expected = (long @ matrix, matrix @ short, np.outer(long, short), matrix.T @ long, short @ matrix.T)
    for result, value in zip(products(matrix, long, short), expected, strict=True):
        assert result.dtype == value.dtype
        np.testing.assert_allclose(result, value, **tolerance)
    total, sums = added(matrix, long, short)
    np.testing.assert_allclose(total, 3 * np.outer(long, short), **tolerance)
    np.testing.assert_allclose(sums, 3 * (long @ matrix), **tolerance)


@pytest.mark.parametrize("dtype", DTYPES[:2], ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("few", range(2, 6))
def test_a_row_of_a_product_has_the_bits_of_the_whole(few: int, dtype: Any) -> None:
    rng = np.random.default_rng(3)
    rows = rng.standard_normal((40, 1000)).astype(dtype)
    matrix = rng.standard_normal((1000, few)).astype(dtype)
    product = ag.function(lambda a, b: a @ b)
    whole = product(rows, matrix)
    for row, expected in zip(rows, whole, strict=True):
        same(product(row, matrix), expected)
