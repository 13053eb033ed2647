"""What the property tests of NumPy's functions share: arrays to try, the judge, and which names are tried.

A case is one way to call one function. It is tried on arrays of every dtype that graphs have, with NaN,
infinities and sizes of zero, and must give what NumPy gives: value, dtype, shape and kind of result.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import autograph as ag
import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

DTYPES = ["bool", "uint8", "int32", "int64", "float32", "float64"]
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
NARROW = ["int8", "int16", "uint16", "uint32", "uint64", "float16"]
NUMBERS = ["uint8", "int32", "int64", "float32", "float64"]
SHAPES = arrays_of.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, min_side=0, max_side=4)


def filled(shape: tuple[int, ...], dtypes: list[str] = DTYPES, *, is_tame: bool = False) -> Any:
    """Arrays of a shape; tame ones hold small whole numbers, on which sums and products are exact."""

    def elements(dtype: str) -> Any:
        limits = {"min_value": -100, "max_value": 100}
        if dtype in COMPLEX:
            parts = st.integers(-6, 6) if is_tame else st.integers(-24, 24).map(lambda k: k / 8)
            number = st.tuples(parts, parts).map(lambda pair: complex(*pair))
            return arrays_of.arrays(dtype, shape, elements=number)
        if dtype.startswith("float") and not is_tame:
            special = st.sampled_from([0.0, -0.0, float("nan"), float("inf"), float("-inf"), 1.0])
            number = st.floats(width=32 if dtype == "float32" else 64, **limits)
            return arrays_of.arrays(dtype, shape, elements=st.one_of(number, special))
        if is_tame:
            limits = {"min_value": -6, "max_value": 6}
        if dtype == "uint8":
            limits = {"min_value": 0, "max_value": 6 if is_tame else 255}
        return arrays_of.arrays(dtype, shape, elements=None if dtype == "bool" else st.integers(**limits))

    return st.sampled_from(dtypes).flatmap(elements)


@st.composite
def one(draw: Any, low: int = 0, high: int = 3, side: int = 0, **options: Any) -> Any:
    """One array of ``low`` to ``high`` dimensions."""
    shape = draw(arrays_of.array_shapes(min_dims=low, max_dims=high, min_side=side, max_side=4))
    return draw(filled(shape, **options))


@st.composite
def two(draw: Any) -> Any:
    """Two arrays that broadcast."""
    shapes = draw(SHAPES).input_shapes
    return draw(filled(shapes[0])), draw(filled(shapes[1]))


@st.composite
def alike(draw: Any, count: int = 2, low: int = 0, high: int = 3, side: int = 0, **options: Any) -> Any:
    """Arrays of one shape."""
    shape = draw(arrays_of.array_shapes(min_dims=low, max_dims=high, min_side=side, max_side=4))
    return tuple(draw(filled(shape, **options)) for _ in range(count))


@st.composite
def matrices(draw: Any, count: int = 2, rank: int = 2, dtypes: list[str] = NUMBERS) -> Any:
    """Square matrices, or stacks of them, of one shape."""
    size = draw(st.integers(1, 4))
    lead = tuple(draw(st.integers(1, 3)) for _ in range(rank - 2))
    return tuple(draw(filled((*lead, size, size), dtypes, is_tame=True)) for _ in range(count))


@st.composite
def chain(draw: Any) -> Any:
    """Two matrices that multiply, of any sizes."""
    rows, inner, columns = (draw(st.integers(0, 4)) for _ in range(3))
    return draw(filled((rows, inner), is_tame=True)), draw(filled((inner, columns), is_tame=True))


@st.composite
def indexed(draw: Any) -> Any:
    """A vector and valid indices of it."""
    size = draw(st.integers(1, 5))
    places = arrays_of.arrays("int64", draw(st.integers(0, 4)), elements=st.integers(-size, size - 1))
    return draw(filled((size,))), draw(places)


@st.composite
def table(draw: Any) -> Any:
    """Places to look up, and a table in ascending order with values."""
    size = draw(st.integers(1, 6))
    numbers = st.floats(-20, 20, width=32)
    keys = draw(st.lists(numbers, min_size=size, max_size=size).map(sorted))
    heights = draw(filled((size,), NUMBERS, is_tame=True))
    x = draw(one(low=0, high=2, dtypes=["int64", "float64"]))
    return x, np.array(keys), heights


def alone(strategy: Any) -> Any:
    """A strategy of one array as a strategy of arguments."""
    return strategy.map(lambda x: (x,))


INPUTS: dict[str, Any] = {
    "any": alone(one()),
    "number": alone(one(dtypes=NUMBERS)),
    "float": alone(one(dtypes=FLOATS)),
    "tame": alone(one(dtypes=NUMBERS, is_tame=True)),
    "full": alone(one(side=1)),
    "axis": alone(one(low=1)),
    "full axis": alone(one(low=1, side=1)),
    "tame axis": alone(one(low=1, side=1, dtypes=NUMBERS, is_tame=True)),
    "rows": alone(one(low=2)),
    "tame rows": alone(one(low=2, side=2, dtypes=NUMBERS, is_tame=True)),
    "cube": alone(one(low=3)),
    "vector": alone(one(low=1, high=1, side=1)),
    "tame vector": alone(one(low=1, high=1, side=1, dtypes=NUMBERS, is_tame=True)),
    "matrix": alone(one(low=2, high=2)),
    "square": matrices(1),
    "squares": matrices(2),
    "stack": matrices(1, 3),
    "stacks": matrices(2, 3),
    "chain": chain(),
    "two": two(),
    "alike": alike(),
    "alike axis": alike(low=1, side=1),
    "tame alike": alike(low=1, side=1, dtypes=NUMBERS, is_tame=True),
    "vectors": alike(low=1, high=1, side=1, dtypes=NUMBERS, is_tame=True),
    "masked": st.tuples(one(), one(dtypes=["bool"])),
    "indexed": indexed(),
    "table": table(),
    "complex": alone(one(dtypes=COMPLEX)),
    "tame complex": alone(one(dtypes=COMPLEX, is_tame=True)),
    "complex axis": alone(one(low=1, side=1, dtypes=COMPLEX, is_tame=True)),
    "complex rows": alone(one(low=2, side=2, dtypes=COMPLEX, is_tame=True)),
    "complex vector": alone(one(low=1, high=1, side=1, dtypes=COMPLEX, is_tame=True)),
    "complex vectors": alike(low=1, high=1, side=1, dtypes=[*FLOATS, *COMPLEX], is_tame=True),
    "complex alike": alike(low=1, side=1, dtypes=[*NUMBERS, *COMPLEX], is_tame=True),
    "complex square": matrices(1, dtypes=COMPLEX),
    "complex squares": matrices(2, dtypes=[*NUMBERS, *COMPLEX]),
    "complex stack": matrices(1, 3, dtypes=COMPLEX),
    "three": st.tuples(*(filled((2, 3), NUMBERS, is_tame=True) for _ in range(2))),
}
"""Strategies of the arguments of a case, by what they are."""


@dataclass(frozen=True)
class Case:
    """One way to call one function of NumPy."""

    name: str
    inputs: str
    function: Callable[..., Any]

    @property
    def tried(self) -> Any:
        """The function of NumPy that this is about."""
        return named(self.name)


def named(name: str) -> Any:
    """The function ``np.<name>``."""
    found: Any = np
    for part in name.split("."):
        found = getattr(found, part)
    return found


def is_there(name: str) -> bool:
    """Whether the installed NumPy has a function."""
    try:
        return callable(named(name))
    except AttributeError:
        return False


def cases(inputs: str, **functions: Any) -> list[Case]:
    """Cases with one kind of input: by name of the function, one or more ways to call it."""
    found = []
    for name, ways in functions.items():
        for way in ways if isinstance(ways, list) else [ways]:
            found.append(Case(name.replace("linalg_", "linalg.").replace("fft_", "fft."), inputs, way))
    return found


def identities(found: list[Case]) -> list[str]:
    """The names of cases in the reports of pytest."""
    return [f"{case.name}-{position}" for position, case in enumerate(found)]


def judge(function: Any, *args: Any, may_refuse: bool = False) -> None:
    """The staged function gives what NumPy gives, or is refused where NumPy refuses."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            want = function(*[np.copy(x) if isinstance(x, np.ndarray) else x for x in args])
        except (TypeError, ValueError, IndexError, ArithmeticError) as error:
            with pytest.raises((type(error), ag.AutographError)):
                ag.function(function)(*args)
            return
        if not is_staged(want):
            with pytest.raises((ag.StagingError, TypeError)):
                ag.function(function)(*args)
            return
        try:
            got = ag.function(function)(*args)
        except ag.AutographError as error:
            if may_refuse or (error.code == "AG103" and not is_staged(want, DTYPES + COMPLEX)):
                return
            raise
    compare(got, want)


def compare(got: Any, want: Any) -> None:
    """Results are of the same types, dtypes, shapes and values."""
    assert type(got) is type(want), (type(got), type(want))
    if isinstance(want, (tuple, list)):
        assert len(got) == len(want)
        for one_got, one_want in zip(got, want, strict=True):
            compare(one_got, one_want)
    elif isinstance(want, (np.ndarray, np.generic)):
        assert got.dtype == want.dtype and got.shape == want.shape, (
            got.dtype,
            want.dtype,
            got.shape,
            want.shape,
        )
        tolerance = 3e-6 if want.dtype in (np.float32, np.complex64) else 1e-13
        tolerance = 1e-3 if want.dtype == np.float16 else tolerance
        np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)
    else:
        assert got == want or (got != got and want != want)


def is_staged(value: Any, dtypes: list[str] = DTYPES + COMPLEX + NARROW) -> bool:
    """Whether a result has dtypes that are staged."""
    if isinstance(value, (tuple, list)):
        return all(is_staged(one, dtypes) for one in value)
    return not isinstance(value, (np.ndarray, np.generic)) or value.dtype.name in dtypes
