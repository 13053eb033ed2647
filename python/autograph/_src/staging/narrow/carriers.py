"""Which dtype of the graph holds the elements of a dtype that the graph does not have.

    int8, int16, uint16     int32, which holds each of their values
    uint32                  int64, which does too
    uint64                  int64, the same 64 bits
    float16                 float32, which holds each of its values

>>> import numpy as np
>>> to_carrier(np.array([-1, 3], np.int16)).dtype
dtype('int32')
>>> to_carrier(np.array([2**64 - 1], np.uint64))
array([-1])
>>> from_carrier(np.array([-1]), np.dtype("uint64"))
array([18446744073709551615], dtype=uint64)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

CARRIERS: dict[np.dtype[Any], np.dtype[Any]] = {
    np.dtype(name): np.dtype(carrier)
    for name, carrier in (
        ("int8", "int32"),
        ("int16", "int32"),
        ("uint16", "int32"),
        ("uint32", "int64"),
        ("uint64", "int64"),
        ("float16", "float32"),
    )
}
"""By narrow dtype: the dtype of the graph that holds it."""

UINT64 = np.dtype("uint64")

FLOAT16 = np.dtype("float16")

_NAMES = frozenset(
    name
    for dtype in CARRIERS
    for name in (dtype.name, dtype.str[1:], dtype.char)
    if len(name) > 1  # A single letter is more often another option than a dtype.
) | {"half"}


def is_narrow_dtype(value: object) -> bool:
    """Whether a value is a narrow dtype, or a class or name that means one."""
    if isinstance(value, np.dtype):
        return value in CARRIERS
    if isinstance(value, type):
        return issubclass(value, np.generic) and value in CLASSES_OF_SCALARS
    return isinstance(value, str) and value in _NAMES


CLASSES_OF_SCALARS = frozenset(dtype.type for dtype in CARRIERS)
"""The classes of NumPy's scalars of the narrow dtypes."""


def to_carrier(array: NDArray[Any]) -> NDArray[Any]:
    """The elements of an array of a narrow dtype in the dtype that holds them; of ``uint64`` a view."""
    native = array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
    carrier = CARRIERS[native.dtype]
    return native.view(carrier) if native.dtype == UINT64 else native.astype(carrier)


def from_carrier(array: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """The elements in the narrow dtype; the inverse of :func:`to_carrier`."""
    return array.view(dtype) if dtype == UINT64 else array.astype(dtype)


def write_back(target: NDArray[Any], value: NDArray[Any]) -> None:
    """Writes the elements of a graph's output into an array of the caller, of any dtype."""
    narrow = target.dtype.newbyteorder("=")
    np.copyto(target, from_carrier(value, narrow) if narrow in CARRIERS else value)
