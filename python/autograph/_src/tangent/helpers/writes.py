"""Functions of NumPy that write into their first argument, as functions that give a new array.

Where each element comes from is found by the same function of numbers: those of the array are 0, 1, 2, …,
those of the values -1, -2, -3, ….
"""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.helpers.forms import in_form
from autograph._src.tangent.helpers.selection import numbers_of, put_back

__all__ = [
    "copyto",
    "copyto_numbers",
    "fill_diagonal",
    "fill_diagonal_numbers",
    "place",
    "place_numbers",
    "put",
    "put_along_axis",
    "put_along_axis_numbers",
    "put_numbers",
    "putmask",
    "putmask_numbers",
    "value_numbers",
    "written_tangent",
    "written_values",
]


def value_numbers(values):
    """Number values that are written."""
    return -1 - numbers_of(np.shape(values))


def written_values(bz, numbers, values):
    """Give the adjoint of the values that were written, by the numbers of the result."""
    found = put_back(bz, -1 - numbers, np.shape(values))
    return (
        [in_form(one, item) for one, item in zip(found, values, strict=True)]
        if isinstance(values, (list, tuple))
        else in_form(found, values)
    )


def written_tangent(dx, numbers, is_of_values):
    """Give the tangent of an array after a write, by the array before it or by the values."""
    numbers = -1 - numbers if is_of_values else numbers
    return np.where(numbers < 0, 0, np.ravel(dx)[np.maximum(numbers, 0)])


def put(a, ind, v, mode="raise"):
    """Give what `a` is after `np.put(a, ind, v, mode)`."""
    found = a.copy()
    np.put(found, ind, v, mode)
    return found


def put_numbers(a, ind, v, mode="raise"):
    """Say where the elements of `put` come from."""
    return put(numbers_of(np.shape(a)), ind, value_numbers(v), mode)


def putmask(a, mask, values):
    """Give what `a` is after `np.putmask(a, mask, values)`."""
    found = a.copy()
    np.putmask(found, mask, values)
    return found


def putmask_numbers(a, mask, values):
    """Say where the elements of `putmask` come from."""
    return putmask(numbers_of(np.shape(a)), mask, value_numbers(values))


def place(arr, mask, vals):
    """Give what `arr` is after `np.place(arr, mask, vals)`."""
    found = arr.copy()
    np.place(found, mask, vals)
    return found


def place_numbers(arr, mask, vals):
    """Say where the elements of `place` come from."""
    return place(numbers_of(np.shape(arr)), mask, value_numbers(vals))


def copyto(dst, src, casting="same_kind", where=True):
    """Give what `dst` is after `np.copyto(dst, src, casting, where)`."""
    found = dst.copy()
    np.copyto(found, src, casting, where)
    return found


def copyto_numbers(dst, src, where=True):
    """Say where the elements of `copyto` come from."""
    return copyto(numbers_of(np.shape(dst)), value_numbers(src), where=where)


def put_along_axis(arr, indices, values, axis):
    """Give what `arr` is after `np.put_along_axis(arr, indices, values, axis)`."""
    found = arr.copy()
    np.put_along_axis(found, indices, values, axis)
    return found


def put_along_axis_numbers(arr, indices, values, axis):
    """Say where the elements of `put_along_axis` come from."""
    return put_along_axis(numbers_of(np.shape(arr)), indices, value_numbers(values), axis)


def fill_diagonal(a, val, wrap=False):
    """Give what `a` is after `np.fill_diagonal(a, val, wrap)`."""
    found = a.copy()
    np.fill_diagonal(found, val, wrap)
    return found


def fill_diagonal_numbers(a, val, wrap=False):
    """Say where the elements of `fill_diagonal` come from."""
    return fill_diagonal(numbers_of(np.shape(a)), value_numbers(val), wrap)
