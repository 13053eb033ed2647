"""Checks the options of NumPy functions (``axis=``, ``dtype=``, …) before a staged version reads them.

np.sum(x, axis=True)         # NumPy: "an integer is required"
np.zeros(3, dtype=x)         # A staged value has a dtype, but is not one.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

import numpy as np

from autograph._src.backends.protocol import type_name
from autograph._src.own_attributes import has_own
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import type_error


def holds_staged(value: object) -> bool:
    """Whether a value is staged, or a nested list that contains a staged value."""
    if isinstance(value, (list, tuple)):
        return has_own(value, "stacked") or any(map(holds_staged, value))
    return isinstance(value, Tensor)


def is_unsigned(value: object) -> bool:
    """Whether a number has an unsigned dtype, in which differences wrap around."""
    return isinstance(value, (Tensor, np.generic)) and value.dtype.kind == "u"


def _is_integer(value: object) -> bool:
    if isinstance(value, Tensor):
        return value.dtype.kind in "iu"
    return isinstance(value, (int, np.integer)) and abs(int(value)) < 2**31


def _is_axis(value: object) -> bool:
    """Whether a value can be an axis or several; their range is checked where they are used."""
    if isinstance(value, (list, tuple)):
        return all(map(_is_axis, value))
    is_axis = isinstance(value, (int, np.integer, np.ndarray, Tensor)) and not isinstance(value, bool)
    return value is None or is_axis


def _is_memory_order(value: object) -> bool:
    return value is None or (isinstance(value, str) and value in tuple("CFAKcfak"))


def _is_flag(value: object) -> bool:
    return isinstance(value, bool) or value is np._NoValue


def _is_sections(value: object) -> bool:
    return isinstance(value, (int, np.integer, list, tuple, np.ndarray, Tensor))


def is_dtype(value: object) -> bool:
    """Whether a value can be a dtype. A staged value is not one, although it has one."""
    return not has_own(value, "dtype") and not holds_staged(value)


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "axis": _is_axis,
    "decimals": _is_integer,
    "dtype": is_dtype,
    "indices_or_sections": _is_sections,
    "k": _is_integer,
    "keepdims": _is_flag,
    "offset": _is_integer,
    "order": _is_memory_order,
}
"""For the name of an option: the test for its possible values."""

_OF_ANOTHER_MEANING = {
    **dict.fromkeys((np.sort, np.argsort, np.partition, np.argpartition), "order"),  # names of fields
    np.polyint: "k",  # constants
}
"""Functions in which an option of one of these names means something else."""

_OF_ONE_AXIS_OR_A_TUPLE = (
    *(np.sum, np.prod, np.any, np.all, np.max, np.min, np.mean, np.std, np.var, np.count_nonzero),
    *(np.nansum, np.nanprod, np.nanmax, np.nanmin, np.nanmean, np.nanstd, np.nanvar),
)
"""Functions that take a tuple of axes, but not a list."""


def check_options(
    function: object, implementation: object, args: tuple[Any, ...], kwargs: Mapping[str, Any], name: str
) -> None:
    """Refuses options whose values are impossible.

    Args:
        function: NumPy's function.
        implementation: Its staged version, whose parameters have NumPy's names.
        args: The positional arguments.
        kwargs: The named arguments.
        name: The function's name for messages.
    """
    for option, place in _options_of(function, implementation):
        is_given = option in kwargs or (place is not None and place < len(args))
        if is_given:
            value = kwargs[option] if option in kwargs else args[place or 0]
            is_list = option == "axis" and isinstance(value, list) and function in _OF_ONE_AXIS_OR_A_TUPLE
            if is_list or not _CHECKS[option](value):
                what = "is a value, not a type" if option == "dtype" else f"cannot be this {type_name(value)}"
                raise type_error(f"`{option}=` of `{name}` {what}")


@functools.cache
def _options_of(
    function: Callable[..., Any], implementation: Callable[..., Any]
) -> tuple[tuple[str, int | None], ...]:
    """The options of a function that are checked, with their positions."""
    return tuple(
        (name, place)
        for name, place in _parameters_of(implementation)
        if name in _CHECKS and _OF_ANOTHER_MEANING.get(function) != name
    )


def _parameters_of(implementation: Callable[..., Any]) -> list[tuple[str, int | None]]:
    """The parameters of a function with their positions; ``None`` for keyword-only parameters."""
    if type(implementation) is FunctionType and not hasattr(implementation, "__wrapped__"):
        code = implementation.__code__  # Equivalent to `inspect.signature` in a tenth of the time.
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        return [(name, place if place < code.co_argcount else None) for place, name in enumerate(names)]
    try:
        parameters = inspect.signature(implementation).parameters.values()
    except ValueError:
        return []
    return [
        (one.name, None if one.kind is one.KEYWORD_ONLY else place) for place, one in enumerate(parameters)
    ]
