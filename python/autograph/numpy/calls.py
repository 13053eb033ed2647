"""Calls of NumPy's functions in converted code while a trace records."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.numpy import creation, linear_algebra, reductions, shapes, sorting, ufuncs  # fill the tables

from autograph.numpy import decompositions  # isort: skip
from autograph.numpy.random import call_generator
from autograph.numpy.registry import CREATORS, OVERLOADS
from autograph.staging.tensor import Kind, Tensor, check_dtype, emit, lift, wrap

__all__ = ["CREATORS", "OVERLOADS", "DispatchedFunctions", "call_numpy"]

_TABLES = (creation, decompositions, linear_algebra, reductions, shapes, sorting, ufuncs)


class DispatchedFunctions:
    """The set of NumPy's functions that dispatch on their arguments (``__array_function__``)."""

    _type = type(np.sum)

    def __contains__(self, function: Any) -> bool:
        return isinstance(function, self._type)


def call_numpy(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Calls a NumPy function: creators always give staged arrays, scalar classes convert."""
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.random.Generator):
        return call_generator(owner, function.__name__, args, kwargs)
    try:
        creator = CREATORS.get(function)
    except TypeError:
        creator = None
    if creator is not None:
        return creator(*args, **kwargs)
    if isinstance(function, type):
        if len(args) == 1 and isinstance(args[0], Tensor):
            dtype = np.dtype(function)
            check_dtype(dtype)
            value = lift(args[0])
            cast = emit("cast", value.read(), dtype.name)
            return wrap(cast, Kind.ARRAY if value.shape else Kind.SCALAR)
        return function(*args, **kwargs)
    return function(*args, **kwargs)
