"""Values at the borders of the narrow dtypes, and the comparison of a staged call with plain NumPy."""

from __future__ import annotations

import warnings
from typing import Any

import autograph as ag
import numpy as np

NARROW = ("int8", "int16", "uint16", "uint32", "uint64", "float16")
OTHERS = ("bool", "uint8", "int32", "int64", "float32", "float64", "complex64")
FORMS = ("array", "0-d", "scalar")


def border(dtype: str) -> np.ndarray:
    """Six elements of a dtype, among them the ends of its range, 0, 1 and numbers around."""
    kind = np.dtype(dtype)
    if kind.kind == "b":
        return np.array([True, False, True, True, False, True])
    if kind.kind == "f":
        return np.array([1.5, -0.0, np.finfo(kind).max, -2.25, np.finfo(kind).tiny, 7], kind)
    if kind.kind == "c":
        return np.array([1.5, -2j, 3 + 1j, 0, 1, -7], kind)
    ends = np.iinfo(kind)
    middle = ends.max // 2 + 1
    return np.array([ends.min, ends.max, 1, 0, middle, 7], kind)


def other(dtype: str) -> np.ndarray:
    """Six other elements, so that pairs of both meet."""
    kind = np.dtype(dtype)
    if kind.kind in "iu":
        ends = np.iinfo(kind)
        return np.array(
            [3, 2, ends.max, 0, ends.max - 1, 5] if kind.kind == "u" else [-1, 2, ends.max, 0, ends.min, -5],
            kind,
        )
    if kind.kind == "f":
        return np.array([0.1, 3, 2, 0.5, -1, 1000], kind)
    return border(dtype)[::-1].copy()


def in_form(values: np.ndarray, form: str) -> Any:
    """An array as it is, or its second element as an array of rank 0 or a NumPy scalar."""
    if form == "array":
        return values
    return values[1:2].reshape(()).copy() if form == "0-d" else values[1]


def outcome(call: Any, args: tuple[Any, ...]) -> tuple[str, Any, tuple[Any, ...]]:
    """What a call gives or raises, and its arguments afterwards."""
    given = tuple(one.copy() if isinstance(one, np.ndarray) else one for one in args)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return "gives", call(*given), given
    except ag.errors.AutographError as error:
        return "refuses", error, given
    except Exception as error:
        return "raises", error, given


def is_same(one: Any, two: Any, *, near: bool = False) -> bool:
    """Whether two results have one class, dtype, shape and elements; NaN equals itself."""
    if type(one) is not type(two):
        return False
    if isinstance(one, (tuple, list)):
        return len(one) == len(two) and all(is_same(*pair, near=near) for pair in zip(one, two, strict=True))
    if isinstance(one, dict):
        return list(one) == list(two) and is_same([*one.values()], [*two.values()], near=near)
    if not isinstance(one, (np.ndarray, np.generic)):
        return bool(one == two) or one != one
    if one.dtype != two.dtype or one.shape != two.shape:
        return False
    if near and one.dtype.kind in "fc" and one.dtype != np.float16:
        limit = 4 * float(np.finfo(one.dtype).eps)
        return bool(np.allclose(one, two, rtol=limit, atol=0, equal_nan=True))
    return bool(np.array_equal(one, two, equal_nan=one.dtype.kind in "fc"))


def difference(program: Any, args: tuple[Any, ...], *, may_refuse: bool, near: bool = False) -> str | None:
    """How a staged call differs from the plain one, or ``None``: also in a second call."""
    kind, plain, after = outcome(program, args)
    staged = ag.function(program)
    for _ in range(2):
        found, value, changed = outcome(staged, args)
        if found == "refuses" and may_refuse:
            code = getattr(value, "code", None)
            return None if code and code.startswith("AG1") else f"refused without a code: {value}"
        if found != kind:
            return f"{kind} {plain!r}, but {found} {value!r}"
        if kind == "raises":
            if (type(plain), str(plain)) != (type(value), str(value)):
                return f"raises {plain!r}, but {value!r}"
        elif not is_same(plain, value, near=near):
            return f"gives {plain!r}, but {value!r}"
        if not is_same(after, changed):
            return f"leaves {after!r}, but {changed!r}"
    return None
