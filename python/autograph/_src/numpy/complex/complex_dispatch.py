"""Which functions of NumPy take complex values, and how: over both parts, or by a version of their own.

    np.concatenate([x, z])      concatenate([x, z.real]) and concatenate([zeros, z.imag])
    np.matmul(a, b)             a.real @ b.real - a.imag @ b.imag, a.real @ b.imag + a.imag @ b.real
    np.fliplr(z)                NumPy's own code, which calls `flip`

A function of none of these kinds refuses complex values. There are four kinds:

- `MOVES`: it only moves elements, or sums them: both parts are moved alike. The other arguments (axes,
  indices) are given to both calls.
- `PRODUCTS`: it is linear in each of several arguments: the products of their parts are summed.
- `OWN`: it has a version of its own, in a file of its family.
- `GENERIC`: its staged version calls nothing but functions that take complex values.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np

from autograph._src.numpy.calls.registry import (
    COMPLEX_CALLS,
    CREATORS,
    OVERLOADS,
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
from autograph._src.staging.tensors.tensor import Tensor, lift

OWN: dict[Any, Callable[..., Any]] = {}
MOVES: dict[Any, tuple[str, ...]] = {}
PRODUCTS: dict[Any, tuple[str, ...]] = {}
GENERIC: set[Any] = set()
WRITES: set[Any] = set()
"""Of `MOVES` those that write into their first argument."""

FITTED = {np.pad, np.insert, np.ediff1d, np.sum}
"""Those whose result has the dtype of the first argument: NumPy discards imaginary parts of the others."""

EACH: set[Any] = set()
"""Of `MOVES` those that give one array for each argument."""


def complex_overload(*functions: object) -> Callable[[Overload], Overload]:
    """Registers the version of NumPy functions for complex values."""
    return functools.partial(put_into, OWN, functions)


def holds_complex(value: object) -> bool:
    """Whether a value is complex, or a nest of lists that holds one that is, or a dtype that is."""
    if isinstance(value, (list, tuple)):
        return any(map(holds_complex, value))
    return is_complex(value) or is_complex_dtype(value)


def _is_asked(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    return any(map(holds_complex, args)) or any(map(holds_complex, kwargs.values()))


def complex_version(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Callable[..., Any] | None:
    """What runs instead of the staged version of a function where an argument is complex.

    Args:
        function: NumPy's function.
        args: The positional arguments.
        kwargs: The named arguments.

    Returns:
        The version for complex values, or ``None`` where none of the arguments is.

    Raises:
        StagingError: If there is no such version.
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


COMPLEX_CALLS.append(complex_version)


@functools.cache
def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except ValueError:  # `np.concatenate` and others in C
        return None


def _moved(function: Callable[..., Any], names: tuple[str, ...], *args: object, **kwargs: object) -> Any:
    """Calls a function that moves elements for the real parts and for the imaginary ones."""
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
    """The results of a function that gives one array for each of its arguments: the real ones stay real."""
    if not isinstance(real, (list, tuple)):
        return _zipped(real, imag)
    triples = zip(args, real, imag, strict=True)
    return type(real)(_zipped(one, two) if holds_complex(given) else one for given, one, two in triples)


def _real_version(function: Callable[..., Any]) -> Callable[..., Any]:
    return OVERLOADS.get(function) or CREATORS[function]


def _refuse_others(function: Callable[..., Any], others: list[Any], dtype: object) -> None:
    """Complex values where a function expects an axis or an index, and results that would be real."""
    if any(isinstance(value, (list, tuple)) and holds_complex(value) for value in others):
        raise refused(function, others)
    if any(map(is_complex, others)):
        raise refused(function, others)
    if dtype is not None and not is_complex_dtype(dtype):
        raise unsupported_option(function, "dtype")


def _part_type(value: Any) -> object:
    """The dtype of the parts, for a complex one."""
    return part_dtype(value) if is_complex_dtype(value) else value


@functools.cache
def _data_places(function: Callable[..., Any], names: tuple[str, ...]) -> frozenset[int]:
    """The positions of parameters."""
    signature = _signature(function) or _signature(_real_version(function))
    assert signature is not None
    parameters = list(signature.parameters)
    first = signature.parameters[parameters[0]].kind
    if first is inspect.Parameter.VAR_POSITIONAL:
        return frozenset(range(64)) if parameters[0] in names else frozenset()
    return frozenset(parameters.index(name) for name in names if name in parameters)


def _part_of(value: object, part: int) -> object:
    """A part of an argument, or of each element of a list; the imaginary part of a real one is zero."""
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
    """The results of both calls as one."""
    if isinstance(real, (list, tuple)):
        return type(real)(_zipped(*pair) for pair in zip(real, imag, strict=True))
    if not isinstance(real, Tensor):
        return real
    return ComplexTensor(real, imag)


def _multiplied(
    function: Callable[..., Any], names: tuple[str, ...], *args: object, **kwargs: object
) -> object:
    """Sums what a function that is linear in several arguments gives for the products of their parts."""
    places, out = sorted(_data_places(function, names)), kwargs.pop("out", None)
    implementation = _real_version(function)
    factors = [lift(args[at]) for at in places if at < len(args)]
    factors += [lift(value) for name, value in kwargs.items() if name in names]
    # These make arrays of numbers: `1j` is a complex128 for them.
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
        call: The product of real factors.
        dtype: The complex dtype of the result.
    """
    wanted = part_dtype(dtype)
    sums: list[Any] = [None, None]
    kind = None
    for choice in product((0, 1), repeat=len(factors)):
        parts = (factor.parts[one] for factor, one in zip(factors, choice, strict=True))
        term = lift(call(iter([lift(part).astype(wanted) for part in parts])))
        kind = term.kind
        power = sum(choice) % 4  # of `1j`
        part, is_negative = power % 2, power >= 2
        known = sums[part]
        if known is None:
            sums[part] = -term if is_negative else term
        else:
            sums[part] = known - term if is_negative else known + term
    return made(sums[0], sums[1], kind=kind)
