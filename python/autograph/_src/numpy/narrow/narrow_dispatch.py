"""Which NumPy functions accept narrow values, and how they are computed from the parts.

    np.roll(x, 1)               the part, rolled
    np.concatenate([x, y])      both in the dtype that NumPy promotes to, then their parts
    np.dot(x, y)                the product of the parts, brought back into the range
    np.take(a, x)               `x` as int64: only its values count
    np.mean(x)                  of integers in float64, as NumPy computes it

There are five kinds of functions; a function of none of these kinds refuses narrow values:

- `MOVES`: functions that only move elements. They are called with the parts.
- `PRODUCTS`: functions that give sums of products, which NumPy brings into the range at the end.
- `CONVERTED`: functions that NumPy computes in float64 for integers.
- `OWN`: functions with a version of their own.
- `GENERIC`: functions whose staged version takes narrow values as it is.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.numpy.calls.registry import (
    CREATORS,
    OVERLOADS,
    SPECIAL_CALLS,
    Overload,
    call_function,
    put_into,
    unsupported_option,
)
from autograph._src.numpy.narrow.narrow_ufuncs import as_result, refused
from autograph._src.staging.narrow.carriers import CARRIERS, FLOAT16, UINT64, is_narrow_dtype
from autograph._src.staging.narrow.narrow_casts import converted, widened
from autograph._src.staging.narrow.narrow_tensor import NarrowTensor, is_narrow
from autograph._src.staging.tensors.lifting import is_python_scalar, lift
from autograph._src.staging.tensors.tensor import Tensor

OWN: dict[Any, Callable[..., Any]] = {}
MOVES: dict[Any, tuple[str, ...]] = {}
PRODUCTS: dict[Any, tuple[str, ...]] = {}
CONVERTED: dict[Any, tuple[str, ...]] = {}
GENERIC: set[Any] = set()

FITTED: set[Any] = set()
"""The functions of `MOVES` whose result has the dtype of the first argument."""

EACH: set[Any] = set()
"""The functions of `MOVES` that give one array for each argument, of its dtype."""

WEAK: set[Any] = set()
"""The functions of `MOVES` beside whose arrays a Python number has no dtype of its own."""

NOT_OF_FLOATS: set[Any] = set()
"""The functions of `PRODUCTS` in which NumPy rounds a float16 more than once."""


def narrow_overload(*functions: object) -> Callable[[Overload], Overload]:
    """Registers the version of NumPy functions for narrow values."""
    return functools.partial(put_into, OWN, functions)


def holds_narrow(value: object) -> bool:
    """Whether a value is narrow, a narrow dtype, or a nested list that contains a narrow value."""
    if isinstance(value, (list, tuple)):
        return any(map(holds_narrow, value))
    return is_narrow(value) or is_narrow_dtype(value)


def narrow_version(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Callable[..., Any] | None:
    """The version of a function for narrow values, if an argument is narrow.

    Args:
        function: NumPy's function.
        args: The positional arguments.
        kwargs: The named arguments.

    Returns:
        The version, or ``None`` if no argument is narrow.

    Raises:
        StagingError: If the function does not accept narrow values (AG103).
    """
    if not any(map(holds_narrow, args)) and not any(map(holds_narrow, kwargs.values())):
        return None
    if function in OWN:
        return OWN[function]
    if function in GENERIC:
        return real_version(function)
    for table, call in ((MOVES, _moved), (PRODUCTS, _multiplied), (CONVERTED, _in_float64)):
        names = table.get(function)
        if names is not None and (function in OVERLOADS or function in CREATORS):
            return functools.partial(call, function, names)
    raise refused(function, (*args, *kwargs.values()))


SPECIAL_CALLS.insert(0, narrow_version)  # It converts what stands beside complex values.


def real_version(function: Callable[..., Any]) -> Callable[..., Any]:
    """The staged version of a function for values that the graph has."""
    return OVERLOADS.get(function) or CREATORS[function]


def _bound(
    function: Any, names: tuple[str, ...], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[list[Any], list[bool], dict[str, Any], dict[str, bool]]:
    """The arguments, and which of them are data; the others without narrow values."""
    places = _data_places(function, names)
    is_data = [at in places for at in range(len(args))]
    named = {name: name in names for name in kwargs}
    given = [value if data else _as_number(value) for value, data in zip(args, is_data, strict=True)]
    options = {name: value if named[name] else _as_number(value) for name, value in kwargs.items()}
    if any(map(is_narrow_dtype, (*given, *options.values()))):
        raise unsupported_option(function, "dtype")
    return given, is_data, options, named


@functools.cache
def _data_places(function: Callable[..., Any], names: tuple[str, ...]) -> frozenset[int]:
    """The positions of the parameters with these names."""
    try:
        parameters = inspect.signature(function).parameters
    except ValueError:  # `np.concatenate` and others in C
        parameters = inspect.signature(real_version(function)).parameters
    order = list(parameters)
    if parameters[order[0]].kind is inspect.Parameter.VAR_POSITIONAL:
        return frozenset(range(64)) if order[0] in names else frozenset()
    return frozenset(order.index(name) for name in names if name in parameters)


def _as_number(value: object) -> object:
    """An index, a count or a condition of a narrow dtype as int64, also in lists."""
    if isinstance(value, (list, tuple)) and holds_narrow(value):
        return type(value)(map(_as_number, value))
    if is_unsigned_64(value):
        raise lift(value).refused("an index, a count or a condition")
    return widened(value) if is_narrow(value) else value


def _leaves(value: object) -> list[Any]:
    """The arrays and numbers of an argument: of a list that holds a staged or narrow value, its elements."""
    if isinstance(value, (list, tuple)) and (holds_narrow(value) or any(map(_is_staged, value))):
        return [leaf for one in value for leaf in _leaves(one)]
    return [] if value is None or isinstance(value, str) or value is np._NoValue else [value]


def _is_staged(value: object) -> bool:
    return isinstance(value, Tensor) or (isinstance(value, (list, tuple)) and any(map(_is_staged, value)))


def _with_leaves(value: object, change: Callable[[Any], Any]) -> object:
    """An argument with its arrays and numbers changed."""
    if isinstance(value, (list, tuple)) and (holds_narrow(value) or any(map(_is_staged, value))):
        changed = [_with_leaves(one, change) for one in value]
        return tuple(changed) if isinstance(value, tuple) else changed
    return value if value is None or isinstance(value, str) or value is np._NoValue else change(value)


def promoted(values: list[Any], *, is_weak: bool) -> np.dtype[Any]:
    """The dtype that NumPy promotes some arrays and numbers to."""
    return np.result_type(*(_type_of(one, is_weak) for one in values))


def _type_of(value: object, is_weak: bool) -> Any:
    if isinstance(value, Tensor) and value.form.value == "python" and is_weak:
        return {"b": np.dtype(bool), "i": 0, "f": 0.0, "c": 0j}[value.dtype.kind]
    if is_python_scalar(value) and not isinstance(value, Tensor) and is_weak:
        return value
    return lift(value).dtype


def _moved(function: Any, names: tuple[str, ...], *args: object, **kwargs: object) -> Any:
    """Calls a function of `MOVES` with the parts of its data."""
    given, is_data, options, named = _bound(function, names, args, kwargs)
    data = [value for value, one in zip(given, is_data, strict=True) if one]
    data += [value for name, value in options.items() if named[name]]
    if function in EACH:
        return _each(function, given, options)
    leaves = _leaves(data)
    if not leaves:
        return call_function(function, tuple(given), options)
    dtype = lift(leaves[0]).dtype if function in FITTED else promoted(leaves, is_weak=function in WEAK)
    if function in FITTED and any(_would_be_cast(one, dtype) for one in leaves):
        raise refused(function, tuple(leaves))

    def change(value: object) -> object:
        held = converted(value, dtype)
        return held.part if isinstance(held, NarrowTensor) else held

    changed = [_with_leaves(one, change) if data else one for one, data in zip(given, is_data, strict=True)]
    renamed = {name: _with_leaves(one, change) if named[name] else one for name, one in options.items()}
    if dtype not in CARRIERS:
        return call_function(function, tuple(changed), renamed)
    return _declared(real_version(function)(*changed, **renamed), dtype)


def _would_be_cast(value: object, dtype: np.dtype[Any]) -> bool:
    """Whether a value beside an array whose dtype stays would be cut to it."""
    if type(value) is int and dtype.kind in "iu":
        return not np.iinfo(dtype).min <= value <= np.iinfo(dtype).max
    return bool(lift(value).dtype != dtype)


def _declared(result: object, dtype: np.dtype[Any]) -> object:
    """The results of a function of parts, in the declared dtype."""
    if isinstance(result, (list, tuple)):
        return type(result)(_declared(one, dtype) for one in result)
    return NarrowTensor(result, dtype) if isinstance(result, Tensor) else result


def _each(function: Any, given: list[Any], options: dict[str, Any]) -> Any:
    parts = [one.part if isinstance(one, NarrowTensor) else one for one in map(_lifted, given)]
    results = real_version(function)(*parts, **options)
    if not isinstance(results, (list, tuple)):
        return _declared(results, given[0].dtype) if is_narrow(given[0]) else results
    pairs = zip(results, given, strict=True)
    return type(results)(_declared(one, model.dtype) if is_narrow(model) else one for one, model in pairs)


def _lifted(value: object) -> object:
    return lift(value) if is_narrow(value) else value


def _multiplied(function: Any, names: tuple[str, ...], *args: object, **kwargs: object) -> Any:
    """Calls a function of `PRODUCTS` with the parts of its factors."""
    given, is_data, options, named = _bound(function, names, args, kwargs)
    data = [lift(value) for value, one in zip(given, is_data, strict=True) if one]
    data += [lift(value) for name, value in options.items() if named[name]]
    dtype = np.result_type(*(one.dtype for one in data))
    if dtype == FLOAT16 and function in NOT_OF_FLOATS:
        raise refused(function, args)
    changed = [_factor(one, dtype) if data else one for one, data in zip(given, is_data, strict=True)]
    renamed = {name: _factor(one, dtype) if named[name] else one for name, one in options.items()}
    if dtype not in CARRIERS:
        return call_function(function, tuple(changed), renamed)
    return as_result(real_version(function)(*changed, **renamed), dtype)


def _factor(value: object, dtype: np.dtype[Any]) -> Tensor:
    held = converted(value, dtype)
    return held.part if isinstance(held, NarrowTensor) else held


def _in_float64(function: Any, names: tuple[str, ...], *args: object, **kwargs: object) -> Any:
    """Calls a function of `CONVERTED` with integers as float64."""
    given, is_data, options, named = _bound(function, names, args, kwargs)
    data = [value for value, one in zip(given, is_data, strict=True) if one]
    data += [value for name, value in options.items() if named[name]]
    if any(is_narrow(one) and one.dtype == FLOAT16 for one in data):
        raise refused(function, args)

    def change(value: object) -> object:
        return converted(value, np.dtype(float)) if is_narrow(value) else value

    changed = [change(one) if data else one for one, data in zip(given, is_data, strict=True)]
    return call_function(function, tuple(changed), {name: change(one) for name, one in options.items()})


def is_unsigned_64(value: Any) -> bool:
    """Whether a value is of uint64, whose part does not order as its values do."""
    return is_narrow(value) and value.dtype == UINT64
