"""Arguments of any layout: what a graph reads of them is what NumPy reads.

Copies are made block by block, complex arrays are parted in one pass, and what lies between elements (fields
of a record, memory that is not aligned) is left to NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest

SIZES = [(0,), (1,), (7,), (5000,), (3, 0), (5, 6), (70, 90), (4, 1, 5), (17, 33, 9), (2, 3, 4, 5)]
DTYPES = [
    "bool",
    "uint8",
    "int32",
    "int64",
    "float32",
    "float64",
    "float16",
    "int16",
    "complex64",
    "complex128",
]


def _filled(sizes: tuple[int, ...], dtype: str) -> np.ndarray[Any, Any]:
    numbers = np.arange(int(np.prod(sizes)), dtype=np.int64) * 7 % 97
    whole = numbers + 1j * (numbers[::-1] % 13) if dtype.startswith("complex") else numbers
    return whole.astype(dtype).reshape(sizes)


def _between(x: np.ndarray[Any, Any], step: int) -> np.ndarray[Any, Any]:
    """The array with every axis a part of a longer one."""
    wide = np.zeros([step * size for size in x.shape], x.dtype)
    part = wide[tuple(slice(None, None, step) for _ in x.shape)]
    part[...] = x
    return part


def _in_records(x: np.ndarray[Any, Any], fields: list[tuple[str, str]]) -> np.ndarray[Any, Any]:
    """The array as a field of packed records: steps are no multiples of elements, places not aligned."""
    records = np.zeros(x.shape, np.dtype([*fields, ("x", x.dtype)]))
    records["x"] = x
    return records["x"]


def _read_only(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    x = x.copy()
    x.flags.writeable = False
    return x


LAYOUTS: dict[str, Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]] = {
    "C": lambda x: x,
    "Fortran": np.asfortranarray,
    "transposed": lambda x: x.T,
    "first axis last": lambda x: np.moveaxis(x, 0, -1),
    "reversed": lambda x: x[tuple(slice(None, None, -1) for _ in x.shape)],
    "every second": lambda x: _between(x, 2),
    "every third, turned": lambda x: _between(x.T.copy(), 3).T,
    "one row for all": lambda x: np.broadcast_to(x[:1], x.shape) if x.shape[0] else x,
    "one number for all": lambda x: np.broadcast_to(x.ravel()[:1], x.shape) if x.size else x,
    "in records": lambda x: _in_records(x, []),
    "in records after a byte": lambda x: _in_records(x, [("before", "u1")]),
    "in records after a number": lambda x: _in_records(x, [("before", "f8")]),
    "read-only": _read_only,
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_read_is_the_array(layout: str, dtype: str) -> None:
    @ag.function
    def same(x):  # type: ignore[no-untyped-def]
        return x.copy(), x.sum()

    for sizes in SIZES:
        x = LAYOUTS[layout](_filled(sizes, dtype))
        before = x.copy()
        for _ in range(2):
            copied, total = same(x)
            assert copied.dtype == x.dtype
            np.testing.assert_array_equal(copied, before)
            np.testing.assert_allclose(total, before.sum(), rtol=1e-2 if dtype == "float16" else 1e-6)
        np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_parts_of_complex_arrays(layout: str, dtype: str) -> None:
    functions: list[Callable[[Any, Any], Any]] = [
        lambda z, _: z.imag.copy(),
        lambda z, _: z.real + 0,
        lambda z, w: w.imag - z.real,
        lambda z, w: (w * 2, z, z.conj()),
    ]
    for sizes in SIZES:
        z = LAYOUTS[layout](_filled(sizes, dtype))
        w = _filled(sizes, dtype).reshape(z.shape)
        for function in functions:
            for a, b in ((z, w), (w, z), (z, z)):
                made, true = ag.function(function)(a, b), function(a, b)
                for one, other in zip(np.atleast_1d(made), np.atleast_1d(true), strict=True):
                    np.testing.assert_array_equal(one, other)
        assert ag.function(lambda z: z)(z) is z


def test_numbers_are_no_arrays() -> None:
    @ag.function
    def parts(z):  # type: ignore[no-untyped-def]
        return z.real - z.imag, z * z

    for z in (1 + 2j, np.complex128(1 + 2j), np.complex64(1 + 2j), np.array(1 + 2j)):
        for made, true in zip(parts(z), (z.real - z.imag, z * z), strict=True):
            assert made == true
            assert type(made) is type(true)
