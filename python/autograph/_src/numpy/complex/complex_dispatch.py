"""Which NumPy functions accept complex values, and how they are computed from the parts.

    np.concatenate([x, z])      concatenate([x, z.real]) and concatenate([zeros, z.imag])
    np.matmul(a, b)             a.real @ b.real - a.imag @ b.imag, a.real @ b.imag + a.imag @ b.real
    np.fliplr(z)                NumPy's own code, which calls `flip`

There are four kinds of functions; a function of none of these kinds refuses complex values:

- `MOVES`: functions that only move or sum elements. They are called once for each part, with the same other
  arguments (axes, indices).
- `PRODUCTS`: functions that are linear in each of several arguments. The products of the parts are summed.
- `OWN`: functions with a version of their own, in a file of their family.
- `GENERIC`: functions whose staged version calls only functions that accept complex values.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np

from autograph._src.numpy.calls.registry import (
    CREATORS,
    OVERLOADS,
    SPECIAL_CALLS,
    Overload,
    put_into,
    unsupported_option,
)
from autograph._src.numpy.complex.complex_ufuncs import refused
from autograph._src.numpy.elementwise.ufuncs import store
from autograph._src.staging.complex.complex_tensor import (
    ComplexTensor,
    as_complex,
    is_complex,
    is_complex_dtype,
    made,
    part_dtype,
    zeros_of,
)
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Tensor

OWN: dict[Any, Callable[..., Any]] = {}
MOVES: dict[Any, tuple[str, ...]] = {}
PRODUCTS: dict[Any, tuple[str, ...]] = {}
GENERIC: set[Any] = set()
WRITES: set[Any] = set()
"""The functions of `MOVES` that write to their first argument."""

FITTED = {np.pad, np.insert, np.ediff1d, np.sum}
"""Functions whose result has the first argument's dtype: NumPy discards other arguments' imaginary parts."""

EACH: set[Any] = set()
"""The functions of `MOVES` that return one array for each argument."""


def complex_overload(*functions: object) -> Callable[[Overload], Overload]:
    """Registers the version of NumPy functions for complex values."""
    return functools.partial(put_into, OWN, functions)


def holds_complex(value: object) -> bool:
    """Whether a value is complex, a complex dtype, or a nested list that contains a complex value."""
    if isinstance(value, (list, tuple)):
        return any(map(holds_complex, value))
    return is_complex(value) or is_complex_dtype(value)


def _is_asked(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    return any(map(holds_complex, args)) or any(map(holds_complex, kwargs.values()))


def complex_version(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Callable[..., Any] | None:
    """The version of a function for complex values, if an argument is complex.

    Args:
        function: NumPy's function.
        args: The positional arguments.
        kwargs: The named arguments.

    Returns:
        The version, or ``None`` if no argument is complex.

    Raises:
        StagingError: If the function does not accept complex values.
    """
    if not _is_asked(args, kwargs):
        return None
    if function in OWN:
        return OWN[function]
    if function in GENERIC:
        return _real_version(function)
    names = MOVES.get(function) or PRODUCTS.get(function)
    if names is None or (function not in OVERLOADS and function not in CREATORS):
        raise refused(function, (args, *kwargs.values()))
    call = _moved if function in MOVES else _multiplied
    return functools.partial(call, function, names)


SPECIAL_CALLS.append(complex_version)


@functools.cache
def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except ValueError:  # `np.concatenate` and others in C
        return None


def _moved(function: Callable[..., Any], names: tuple[str, ...], *args: object, **kwargs: object) -> Any:
    """Calls a function of `MOVES` once for the real parts and once for the imaginary parts."""
    places, out = _data_places(function, names), kwargs.pop("out", None)
    others = [value for at, value in enumerate(args) if at not in places]
    others += [value for name, value in kwargs.items() if name not in names]
    _refuse_others(function, others, kwargs.get("dtype"))
    if function in WRITES and not isinstance(args[0], ComplexTensor):
        raise refused(function, args)
    if function in FITTED and args and not is_complex(args[0]):
        raise refused(function, args)
    results = []
    for part in (0, 1):
        given = (
            _part_of(value, part) if at in places else _part_type(value) for at, value in enumerate(args)
        )
        named = {
            name: _part_of(value, part) if name in names else _part_type(value)
            for name, value in kwargs.items()
        }
        results.append(_real_version(function)(*given, **named))
    if function in EACH:
        return _each_zipped(args, *results)
    return store(_zipped(*results), out)


def _each_zipped(args: tuple[Any, ...], real: Any, imag: Any) -> object:
    """The results of a function of `EACH`; the arrays for real arguments stay real."""
    if not isinstance(real, (list, tuple)):
        return _zipped(real, imag)
    triples = zip(args, real, imag, strict=True)
    return type(real)(_zipped(one, two) if holds_complex(given) else one for given, one, two in triples)


def _real_version(function: Callable[..., Any]) -> Callable[..., Any]:
    return OVERLOADS.get(function) or CREATORS[function]


def _refuse_others(function: Callable[..., Any], others: list[Any], dtype: object) -> None:
    """Refuses complex values as an axis or index, and a real ``dtype=`` for the result."""
    if any(isinstance(value, (list, tuple)) and holds_complex(value) for value in others):
        raise refused(function, others)
    if any(map(is_complex, others)):
        raise refused(function, others)
    if dtype is not None and not is_complex_dtype(dtype):
        raise unsupported_option(function, "dtype")


def _part_type(value: Any) -> object:
    """The real dtype of the parts of a complex dtype; other values unchanged."""
    return part_dtype(value) if is_complex_dtype(value) else value


@functools.cache
def _data_places(function: Callable[..., Any], names: tuple[str, ...]) -> frozenset[int]:
    """The positions of the parameters with these names."""
    signature = _signature(function) or _signature(_real_version(function))
    assert signature is not None
    parameters = list(signature.parameters)
    first = signature.parameters[parameters[0]].kind
    if first is inspect.Parameter.VAR_POSITIONAL:
        return frozenset(range(64)) if parameters[0] in names else frozenset()
    return frozenset(parameters.index(name) for name in names if name in parameters)


def _part_of(value: object, part: int) -> object:
    """A part of an argument, or of each element of a list; the imaginary part of a real value is zero."""
    if isinstance(value, (list, tuple)):
        parts = [_part_of(element, part) for element in value]
        return tuple(parts) if isinstance(value, tuple) else parts
    if value is None or isinstance(value, (str, slice, type(Ellipsis))):
        return value
    if is_complex(value):
        return as_complex(value).parts[part]
    x = lift(value)
    return x if part == 0 else zeros_of(x)


def _zipped(real: object, imag: Any) -> object:
    """The results of both calls joined into complex values."""
    if isinstance(real, (list, tuple)):
        return type(real)(_zipped(*pair) for pair in zip(real, imag, strict=True))
    if not isinstance(real, Tensor):
        return real
    return ComplexTensor(real, imag)


def _multiplied(
    function: Callable[..., Any], names: tuple[str, ...], *args: object, **kwargs: object
) -> object:
    """Calls a function of `PRODUCTS` for all combinations of the parts, and sums the results."""
    places, out = sorted(_data_places(function, names)), kwargs.pop("out", None)
    implementation = _real_version(function)
    factors = [lift(args[at]) for at in places if at < len(args)]
    factors += [lift(value) for name, value in kwargs.items() if name in names]
    # These functions convert numbers to arrays, so `1j` is a complex128.
    dtype = np.result_type(*(factor.dtype for factor in factors))
    result = product_of(
        list(map(as_complex, factors)),
        lambda parts: implementation(*_replaced(args, places, parts), **_renamed(kwargs, names, parts)),
        dtype,
    )
    return store(result, out)


def _replaced(args: tuple[Any, ...], places: list[int], parts: Iterator[Any]) -> tuple[Any, ...]:
    return tuple(next(parts) if at in places else value for at, value in enumerate(args))


def _renamed(kwargs: dict[str, Any], names: tuple[str, ...], parts: Iterator[Any]) -> dict[str, Any]:
    return {name: next(parts) if name in names else _part_type(value) for name, value in kwargs.items()}


def product_of(
    factors: list[ComplexTensor], call: Callable[[Iterator[Any]], Any], dtype: np.dtype[Any]
) -> ComplexTensor:
    """A product of complex factors, from the products of their parts.

    Args:
        factors: The factors.
        call: Computes the product of real factors.
        dtype: The complex dtype of the result.
    """
    wanted = part_dtype(dtype)
    sums: list[Any] = [None, None]
    kind = None
    for choice in product((0, 1), repeat=len(factors)):
        parts = (factor.parts[one] for factor, one in zip(factors, choice, strict=True))
        term = lift(call(iter([lift(part).astype(wanted) for part in parts])))
        kind = term.form
        power = sum(choice) % 4  # of `1j`
        part, is_negative = power % 2, power >= 2
        known = sums[part]
        if known is None:
            sums[part] = -term if is_negative else term
        else:
            sums[part] = known - term if is_negative else known + term
    return made(sums[0], sums[1], form=kind)
