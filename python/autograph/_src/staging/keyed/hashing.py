"""The hash of a key, and whether two keys are one.

    d[2], d[2.0], d[np.int64(2)], d[True + 1]     # one key: equal numbers have one hash

An int is its own hash without the sign, so that counters and indices lie side by side. A nan has none: Python
finds it again by its identity, which a number of the graph does not have.
"""

from __future__ import annotations

import math
import zlib
from functools import partial
from typing import Any

import numpy as np

from autograph._src.articles import with_article
from autograph._src.backends.protocol import backend_of, type_name
from autograph._src.operators.calls import converted_call
from autograph._src.operators.logic import and_
from autograph._src.operators.spelled import operated
from autograph._src.policy import request_own
from autograph._src.staging.keyed.keyed import Key, Value
from autograph._src.staging.kinds.choices import StagedChoice
from autograph._src.staging.kinds.unions import StagedUnion, over_alternatives
from autograph._src.staging.tensors.python_scalars import require
from autograph._src.staging.tensors.tensor import Tensor, plain_class
from autograph._src.staging.trace.active import staging_error

LARGEST = (1 << 63) - 1
"""A hash has no sign, so that shifting it to the right comes to 0."""

_FOLDED = (1 << 31) - 1
_FACTOR = 1000003
_INFINITE = 314159


def hash_of(key: Key) -> Value:
    """The hash of a key, plain or staged: an int of 63 bits.

    Raises:
        StagingError: If it is no number, and no tuple of numbers (AG120).
    """
    if type(key) is tuple:
        found: Any = len(key)
        for part in key:
            found = converted_call(_folded, found, hash_of(part))
        return found
    if type(key) in (StagedUnion, StagedChoice):
        return over_alternatives(hash_of, (key,), {})
    if type(key) is str or key is None:
        return zlib.crc32(key.encode()) if key else 1
    kind = plain_class(key) if isinstance(key, Tensor) else type(key)
    if backend_of(key) is not None and not isinstance(key, Tensor):
        raise _refusal(key)
    if issubclass(kind, (bool, np.bool_, int, np.integer)) and kind is not np.uint64:
        return converted_call(_of_int, key)
    if issubclass(kind, (float, np.floating)):
        if isinstance(key, Tensor):
            require(key == key, "GraphValueError", _NAN)
        elif key != key:
            raise staging_error("AG120", _NAN, "leave it out")
        return converted_call(_of_float, key)
    raise _refusal(key)


_NAN = "a nan as a key is found again by its identity, which a staged number does not have"


def _refusal(key: object) -> Exception:
    """The error for a key that is no number: CPython's for one that has no hash."""
    kind: Any = plain_class(key) if isinstance(key, Tensor) else type(key)
    if issubclass(kind, (np.ndarray, list, dict, set)):
        name = "numpy.ndarray" if issubclass(kind, np.ndarray) else type(key).__name__
        return TypeError(f"unhashable type: {name!r}")
    return staging_error(
        "AG120",
        f"{with_article(type_name(key))} is a key beside keys that depend on data",
        "the keys are numbers, or tuples of numbers",
    )


def _folded(found: int, part: int) -> int:
    mixed = found ^ (found >> 31)
    return ((mixed & _FOLDED) * _FACTOR) ^ part


def _of_int(key: int) -> int:
    return int(key) & LARGEST


def _of_float(key: float) -> int:
    number = float(key)
    if abs(number) < 9.0e18 and math.floor(number) == number:
        found = int(number) & LARGEST
    elif abs(number) == math.inf:
        found = _INFINITE
    else:
        part, exponent = math.frexp(number)
        found = (int(part * 9007199254740992.0) ^ ((exponent + 2048) * _FACTOR)) & LARGEST
        found = found ^ (found >> 32)
    return found


for _one in (_folded, _of_int, _of_float):
    request_own(_one)


def is_equal(one: Key, other: Key) -> Value:
    """``one == other`` of keys: a tuple is equal to none but a tuple of its length."""
    are_tuples = [isinstance(part, tuple) for part in (one, other)]
    if not any(are_tuples):
        return operated("eq", one, other)
    if not all(are_tuples) or len(one) != len(other):
        return False
    pairs = zip(one, other, strict=True)
    return and_(True, *[partial(is_equal, *pair) for pair in pairs])
