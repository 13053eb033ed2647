"""Calls of NumPy's functions in converted code while a trace records."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from autograph.numpy.complex_methods import complex_scalar
from autograph.numpy.random import call_generator
from autograph.numpy.registry import CREATORS, OVERLOADS, call_function
from autograph.staging.complex_tensor import ComplexTensor
from autograph.staging.optionals import StagedOptional, refusal_of_none, required
from autograph.staging.tensor import Kind, Tensor, check_dtype, emit, lift, wrap
from autograph.staging.traced_list import StagedList

__all__ = ["CREATORS", "OVERLOADS", "DispatchedFunctions", "call_numpy"]

_FAMILIES = """
    bits borrowed comparisons convolution creation decompositions einsum fitting float_ufuncs
    floating_parts histograms joining linear_algebra metadata nan_functions padding ranges reductions
    rounding searching selection sequential shapes sorting statistics ufunc_methods ufuncs writing
    complex_creation complex_families complex_order complex_transcendental fourier polynomials
"""

for _family in _FAMILIES.split():
    import_module(f"autograph.numpy.{_family}")  # fills the tables of the registry


class DispatchedFunctions:
    """The set of NumPy's functions that dispatch on their arguments (``__array_function__``)."""

    _type = type(np.sum)

    def __contains__(self, function: Any) -> bool:
        return isinstance(function, self._type)


def call_with_lists(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """NumPy's functions take a staged list as the array of its elements."""
    given: tuple[Any, ...] = tuple(lift(value) if isinstance(value, StagedList) else value for value in args)
    named = {name: lift(value) if isinstance(value, StagedList) else value for name, value in kwargs.items()}
    axis = args[1] if len(args) == 2 else kwargs.get("axis", 0)
    is_simple = len(args) in (1, 2) and not set(kwargs) - {"axis"} and isinstance(args[0], StagedList)
    if is_simple and function is np.stack:
        return np.moveaxis(given[0], 0, axis)
    if is_simple and function is np.concatenate and axis == 0 and given[0].ndim > 1:
        return np.reshape(given[0], (given[0].shape[0] * given[0].shape[1], *given[0].shape[2:]))
    return call_numpy(function, given, named)


def call_numpy(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Calls a NumPy function: creators always give staged arrays, scalar classes convert."""
    if any(isinstance(value, StagedOptional) for value in (*args, *kwargs.values())):
        text = refusal_of_none(function)
        args = tuple(required(value, text) for value in args)
        kwargs = {name: required(value, text) for name, value in kwargs.items()}
    if any(isinstance(value, StagedList) for value in (*args, *kwargs.values())):
        return call_with_lists(function, args, kwargs)
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.random.Generator):
        return call_generator(owner, function.__name__, args, kwargs)
    try:
        creator = CREATORS.get(function)
    except TypeError:
        creator = None
    if creator is not None:
        return call_function(function, args, kwargs)
    if isinstance(function, type):
        if len(args) == 1 and isinstance(args[0], Tensor):
            dtype = np.dtype(function)
            if dtype.kind != "c":
                check_dtype(dtype)
            value = lift(args[0])
            if isinstance(value, ComplexTensor) or dtype.kind == "c":
                return complex_scalar(value, dtype)
            cast = emit("cast", value.read(), dtype.name)
            return wrap(cast, Kind.ARRAY if value.shape else Kind.SCALAR)
        return function(*args, **kwargs)
    return function(*args, **kwargs)
