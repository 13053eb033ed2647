"""Operators of narrow dtypes beside every other type give what NumPy gives, at the borders of their ranges.

int8, int16, uint16, uint32, uint64 and float16 beside each of them, the other dtypes and Python's numbers; as
array, array of rank 0 and NumPy scalar, on both sides.
"""

from __future__ import annotations

import operator
from itertools import product
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph._src.staging.narrow.carriers import CARRIERS, from_carrier, to_carrier
from narrow_cases import FORMS, NARROW, OTHERS, border, difference, in_form, is_same, other, outcome

OPERATORS = {
    name: getattr(operator, name)
    for name in "add sub mul truediv floordiv mod pow and_ or_ xor lshift rshift lt le gt ge eq ne".split()
} | {"divmod": divmod}

NUMBERS = {"int": 3, "negative int": -1, "large int": 70000, "float": 1.5, "bool": True, "complex": 2j}


def pairs(dtype: str, beside: str) -> list[tuple[Any, Any]]:
    """Operands: both in every form, each on either side."""
    if beside in NUMBERS:
        ones = [(in_form(border(dtype), form), NUMBERS[beside]) for form in FORMS]
    else:
        ones = [
            (in_form(border(dtype), one), in_form(other(beside), two)) for one, two in product(FORMS, FORMS)
        ]
    return [*ones, *((right, left) for left, right in ones)]


@pytest.mark.parametrize("beside", [*NARROW, *OTHERS, *NUMBERS])
@pytest.mark.parametrize("dtype", NARROW)
def test_operators(dtype: str, beside: str) -> None:
    """The ways that NumPy takes are recorded as one program; those that it refuses, one by one."""
    for left, right in pairs(dtype, beside):
        taken = [one for one in OPERATORS.values() if outcome(one, (left, right))[0] == "gives"]

        def program(x: Any, y: Any, taken: Any = tuple(taken)) -> Any:
            return [apply(x, y) for apply in taken]

        found = difference(program, (left, right), may_refuse=False, near=True)
        assert found is None, (left, right, [one.__name__ for one in taken], found)
        for name, one in OPERATORS.items():
            if one in taken:
                continue
            kind, error, _ = outcome(one, (left, right))
            staged, raised, _ = outcome(ag.function(lambda x, y, one=one: one(x, y)), (left, right))
            assert kind == "raises" and staged in ("raises", "refuses"), (name, left, right)
            assert isinstance(raised, type(error)) or raised.code in ("AG103", "AG105"), (name, raised, error)


IN_PLACE = [
    getattr(operator, f"i{name}") for name in ("add", "sub", "mul", "floordiv", "mod", "and", "lshift")
]


@pytest.mark.parametrize("beside", [*NARROW, "uint8", "int64", "float64", "int", "negative int", "large int"])
@pytest.mark.parametrize("dtype", NARROW)
def test_operators_in_place(dtype: str, beside: str) -> None:
    right = NUMBERS[beside] if beside in NUMBERS else other(beside)
    for apply in IN_PLACE:

        def program(x: Any, y: Any, apply: Any = apply) -> Any:
            return apply(x, y)

        kind, error, _ = outcome(program, (border(dtype), right))
        if kind == "gives":
            assert difference(program, (border(dtype), right), may_refuse=False) is None, (apply, right)
        else:
            staged, raised, _ = outcome(ag.function(program), (border(dtype), right))
            assert staged != "gives" and isinstance(raised, (type(error), ag.AutographError)), (raised, error)


@pytest.mark.parametrize("to", [*NARROW, *OTHERS])
@pytest.mark.parametrize("dtype", [*NARROW, "bool", "uint8", "int32", "int64", "float32", "float64"])
def test_casts(dtype: str, to: str) -> None:
    """`astype` and the class as a function; floats that the dtype does not hold have no meaning in C."""
    values = border(dtype)
    if np.dtype(dtype).kind == "f" and np.dtype(to).kind in "iu":
        values = np.array([1.5, 0, 100.75, 7, 2, 3.9], dtype)
    kind = np.dtype(to)
    for form in FORMS:
        x = in_form(values, form)
        assert difference(lambda x, kind=kind: x.astype(kind), (x,), may_refuse=False) is None
        assert difference(lambda x, kind=kind: kind.type(x), (x,), may_refuse=False) is None


@pytest.mark.parametrize("dtype", NARROW)
def test_carriers(dtype: str) -> None:
    values = np.concatenate([border(dtype), other(dtype)])
    held = to_carrier(values)
    assert held.dtype == CARRIERS[np.dtype(dtype)]
    assert is_same(from_carrier(held, np.dtype(dtype)), values)


def test_rounding_of_float16() -> None:
    """Each float16, the numbers halfway between two, and their neighbours, from both float dtypes."""
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
    halves = np.sort(halves[np.isfinite(halves)])
    for dtype in (np.float32, np.float64):
        wide = halves.astype(dtype)
        between = (wide[1:] + wide[:-1]) / 2
        tried = np.concatenate([wide, between, np.nextafter(between, np.inf), np.nextafter(between, -np.inf)])
        tried = np.concatenate([tried, np.array([65519.9, 65520, 1e9, -1e9, np.inf, -np.inf, np.nan], dtype)])
        with np.errstate(over="ignore"):
            want = tried.astype(np.float16)
        got = ag.function(lambda x: x.astype(np.float16))(tried.astype(dtype))
        assert np.array_equal(want.view(np.uint16), got.view(np.uint16))


def types_of(x: Any, y: Any) -> tuple[Any, ...]:
    return (
        np.result_type(x, y),
        np.result_type(x, 1),
        np.result_type(x, 1.5),
        np.promote_types(x.dtype, y.dtype),
    )


def test_promotion_of_all_pairs() -> None:
    """`np.result_type` while recording, of arrays and Python numbers."""
    kinds: list[Any] = []

    @ag.do_not_convert
    def noted(*types: Any) -> None:
        kinds.append(types)

    @ag.function
    def program(x: Any, y: Any) -> Any:
        noted(*types_of(x, y))
        return (x + y).dtype.name

    for one, two in product(NARROW, (*NARROW, *OTHERS)):
        x, y = border(one), border(two)
        kinds.clear()
        assert program(x, y) == np.add(x, y).dtype.name
        assert kinds[0] == types_of(x, y)
