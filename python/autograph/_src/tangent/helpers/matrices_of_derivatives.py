"""Jacobians from their rows, the gradients of the elements of a result, or from their columns.

A result or an argument may be a list, a tuple or a dict: its elements are those of its items, in order, and a
Jacobian has the form of the result, in each item of that the form of the argument.
"""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.guard_errors import refused, refused_value
from autograph._src.tangent.helpers.containers import zeros_like
from autograph._src.tangent.helpers.forms import in_form


def size_of(x):
    """Give how many elements a value has: 1 for a number, 0 for what has no derivative."""
    if isinstance(x, (list, tuple)):
        return sum([size_of(item) for item in x])
    if isinstance(x, dict):
        return sum([size_of(item) for item in x.values()])
    return np.size(x) if isinstance(x, (np.ndarray, np.generic, float, int, complex)) else 0


def units(x):
    """Give what has the form of `x`, a 1 in one element and 0 elsewhere, for each element in order."""
    if isinstance(x, (np.ndarray, np.generic, complex)) and np.iscomplexobj(x):
        raise refused(
            "AG021", "a Jacobian is of real numbers", "of complex ones `vjp` and `jvp` give the products"
        )
    if isinstance(x, np.ndarray):
        return np.eye(x.size, dtype=zeros_like(x).dtype).reshape((x.size, *x.shape))
    if isinstance(x, (list, tuple)):
        places = range(len(x))
    elif isinstance(x, dict):
        places = list(x)
    elif isinstance(x, (np.generic, float, int)):
        return [in_form(1.0, x)]
    else:
        return []
    found = []
    for place in places:
        for unit in units(x[place]):
            whole = zeros_like(x)
            whole[place] = unit
            found.append(whole)
    return found


def directions(x):
    """Give the tangents of `x` in each of which one element is 1; one of zeros where it has no element."""
    found = units(x)
    return found if len(found) else [zeros_like(x)]


def in_items(parts, x):
    """Give items in the class of the container `x`."""
    if isinstance(x, list):
        return parts
    return type(x)(*parts) if hasattr(x, "_fields") else tuple(parts)


def from_rows(rows, y, x):
    """Give the Jacobian of `y` with respect to `x` from the gradients of the elements of `y`."""
    if isinstance(y, (list, tuple, dict)):
        parts, start = [], 0
        for item in y.values() if isinstance(y, dict) else y:
            count = size_of(item)
            parts.append(from_rows(rows[start : start + count], item, x))
            start += count
        return dict(zip(y, parts, strict=True)) if isinstance(y, dict) else in_items(parts, y)
    if isinstance(x, dict):
        return {key: from_rows([row[key] for row in rows], y, item) for key, item in x.items()}
    if isinstance(x, (list, tuple)):
        parts = [from_rows([row[place] for row in rows], y, item) for place, item in enumerate(x)]
        return in_items(parts, x)
    if zeros_like(x) is None or zeros_like(y) is None:
        return None
    if not isinstance(y, np.ndarray):
        return rows[0]
    return np.array(rows, np.asarray(zeros_like(x)).dtype).reshape(np.shape(y) + np.shape(x))


def rows_of(bz, y, x):
    """Give the adjoint of each row of a Jacobian `bz`."""
    if isinstance(y, dict):
        return [row for key, item in y.items() for row in rows_of(bz[key], item, x)]
    if isinstance(y, (list, tuple)):
        return [row for part, item in zip(bz, y, strict=True) for row in rows_of(part, item, x)]
    count = size_of(y)
    if isinstance(x, dict):
        columns = {key: rows_of(bz[key], y, item) for key, item in x.items()}
        return [{key: columns[key][place] for key in x} for place in range(count)]
    if isinstance(x, (list, tuple)):
        columns = [rows_of(part, y, item) for part, item in zip(bz, x, strict=True)]
        return [[column[place] for column in columns] for place in range(count)]
    if zeros_like(x) is None:
        return [None] * count
    return [in_form(row, x) for row in np.reshape(bz, (count, *np.shape(x)))]


def from_columns(passes, x):
    """Give the Jacobian of a result with respect to `x` from its tangents, each with the result.

    Raises:
        ValueError: The results differ, so the tangents are of different functions.
    """
    y = passes[0][0]
    if not all([is_same(y, again) for again, _ in passes]):
        raise refused_value(
            "AG021",
            "the function gives another result when it is called again, as one that draws random numbers or"
            " reads an iterator does",
            "forward mode calls it for each element of the argument, `mode='reverse'` once",
        )
    return stack_columns([dy for _, dy in passes], y, x)


def is_same(y, again):
    """Whether two results are equal; NaN is equal to itself."""
    if isinstance(y, dict):
        return y.keys() == again.keys() and all([is_same(y[key], again[key]) for key in y])
    if isinstance(y, (list, tuple)):
        return len(y) == len(again) and all([is_same(*pair) for pair in zip(y, again, strict=True)])
    if zeros_like(y) is None:
        return True
    return np.array_equal(y, again, equal_nan=True)


def stack_columns(columns, y, x):
    """Give the Jacobian of `y` with respect to `x` from the tangents of `y`."""
    if isinstance(y, dict):
        return {key: stack_columns([column[key] for column in columns], item, x) for key, item in y.items()}
    if isinstance(y, (list, tuple)):
        parts = [stack_columns([column[place] for column in columns], y[place], x) for place in range(len(y))]
        return in_items(parts, y)
    if isinstance(x, (list, tuple, dict)):
        parts, start = [], 0
        for item in x.values() if isinstance(x, dict) else x:
            count = size_of(item)
            parts.append(stack_columns(columns[start : start + count], y, item))
            start += count
        return dict(zip(x, parts, strict=True)) if isinstance(x, dict) else in_items(parts, x)
    if zeros_like(x) is None or zeros_like(y) is None:
        return None
    if not isinstance(x, np.ndarray):
        return columns[0]
    stacked = np.array(columns[: x.size], np.asarray(zeros_like(y)).dtype).reshape((x.size, *np.shape(y)))
    return np.moveaxis(stacked, 0, -1).reshape(np.shape(y) + x.shape)


def columns_of(bz, y, x):
    """Give the adjoint of each column of a Jacobian `bz`."""
    if isinstance(x, (list, tuple, dict)):
        found = []
        for key in x if isinstance(x, dict) else range(len(x)):
            found += columns_of(item_of_each(bz, y, key), y, x[key])
        return found
    if isinstance(y, dict):
        parts = {key: columns_of(bz[key], item, x) for key, item in y.items()}
        return [{key: parts[key][place] for key in y} for place in range(size_of(x))]
    if isinstance(y, (list, tuple)):
        parts = [columns_of(part, item, x) for part, item in zip(bz, y, strict=True)]
        return [[part[place] for part in parts] for place in range(size_of(x))]
    if zeros_like(y) is None:
        return [None] * size_of(x)
    stacked = np.reshape(bz, (*np.shape(y), size_of(x)))
    return [in_form(column, y) for column in np.moveaxis(stacked, -1, 0)]


def item_of_each(bz, y, key):
    """Give the Jacobian of `y` with respect to one item of the argument."""
    if isinstance(y, dict):
        return {name: item_of_each(bz[name], item, key) for name, item in y.items()}
    if isinstance(y, (list, tuple)):
        return [item_of_each(part, item, key) for part, item in zip(bz, y, strict=True)]
    return bz[key]


def passes_of(bz, passes, x):
    """Give the adjoints of passes of which a Jacobian `bz` has the tangents: their results have zeros."""
    y = passes[0][0]
    found = [[zeros_like(y), column] for column in columns_of(bz, y, x)]
    return found or [[zeros_like(y), zeros_like(y)]]


def change_of_columns(changes, passes, x):
    """Give the change of a Jacobian from those of its passes."""
    return stack_columns([dy for _, dy in changes], passes[0][0], x)
