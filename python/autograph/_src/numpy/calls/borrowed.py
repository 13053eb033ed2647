"""Borrowed functions: NumPy's own Python code runs over staged values.

``np.rot90`` is a few lines of Python that call ``flip`` and ``transpose``. These lines work for staged values
too, if the names in them mean the staged versions::

    def rot90(m, k=1, axes=(0, 1)):
        m = asanyarray(m)          # our `asarray`, which keeps a staged value
        ...
        return flip(flip(m, axes[0]), axes[1])

So results, views, dtypes and error messages are those of the installed NumPy. NumPy itself is not changed:
`rebound` copies the function with other globals. Where NumPy's code needs the value of an element
(``if x.any():``), the call is refused.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from autograph._src.backends.protocol import type_name
from autograph._src.numpy.calls.options import holds_staged
from autograph._src.numpy.calls.registry import CREATORS, OVERLOADS, UNDISPATCHED, overload
from autograph._src.numpy.creation import creation  # noqa: F401 - fills the table of creators
from autograph._src.recursion_limit import most_calls
from autograph._src.staging.tensors.indexing import nonzero
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.parted import reformed
from autograph._src.staging.tensors.slopes import with_slope
from autograph._src.staging.tensors.tensor import Form, Tensor
from autograph._src.staging.trace.active import require_trace, type_error, value_error
from autograph.errors import AutographError

_NAMES = """
    angle append apply_along_axis apply_over_axes atleast_2d atleast_3d
    column_stack common_type convolve corrcoef correlate cumulative_prod cumulative_sum
    diag_indices_from dsplit dstack fliplr flipud gradient hsplit i0 imag interp iscomplex
    iscomplexobj isneginf isposinf isreal isrealobj ix_ matrix_transpose
    poly polyadd polyder polyint polysub polyval put_along_axis real real_if_close resize rollaxis rot90
    sinc take_along_axis trapezoid unstack unwrap vsplit
"""

_LINEAR_ALGEBRA = """
    cross diagonal matmul matrix_norm matrix_power matrix_transpose multi_dot norm outer tensordot tensorinv
    trace vecdot vector_norm
"""

_FOURIER = "fftshift ifftshift"

COMPILED: Any = vars(np)["_core"]
"""NumPy's internal package, some functions of which only NumPy's own code calls."""

_Converter = COMPILED._multiarray_umath._array_converter

STANDINS: dict[Any, Any] = {}
"""From objects that NumPy's code refers to, to their replacements in the copy. Other modules add to it."""


class StagedModule:
    """Stands for a NumPy module in copied functions: its attributes are staged versions."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return staged_version(getattr(self._module, name))


def staged_version(value: object) -> object:
    """The replacement of a global in NumPy's code."""
    if isinstance(value, ModuleType):
        return StagedModule(value) if value.__name__.startswith("numpy") else value
    try:
        replacement = STANDINS.get(value)
    except TypeError:
        return value
    if replacement is not None:
        return replacement
    if value in CREATORS:
        return value  # `eye`, `arange`: plain sizes and places
    if isinstance(value, FunctionType) and value.__module__.startswith("numpy"):
        return rebound(value)
    return value


@functools.cache
def rebound(function: FunctionType) -> FunctionType:
    """A copy of a function of NumPy that calls staged versions."""
    original = function.__globals__
    names = sorted(_names_in(function.__code__))
    bindings: dict[str, Any] = {"__builtins__": original["__builtins__"], "__name__": original["__name__"]}
    copy = FunctionType(
        function.__code__, bindings, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    for name in names:
        if name in original:
            value = original[name]
            bindings[name] = copy if value is function else staged_version(value)
    return copy


def _names_in(code: CodeType) -> set[str]:
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*map(_names_in, inner))


def _asanyarray(a: object, dtype: DTypeLike | None = None, *args: Any, **kwargs: Any) -> Any:
    """``asanyarray``: returns a staged array itself, so that views of the result are views of that array."""
    if isinstance(a, Tensor):
        if dtype is not None and np.dtype(dtype) != a.dtype:
            a = lift(a.astype(dtype))
        if a.form is Form.ARRAY:
            return a
        return reformed(a, Form.ARRAY)
    if holds_staged(a):
        return CREATORS[np.asarray](a, dtype)
    return np.asanyarray(a, dtype, *args, **kwargs)


def _array(
    a: object, dtype: DTypeLike | None = None, *, copy: bool = True, ndmin: int = 0, **options: Any
) -> object:
    """``array``: leaves plain values plain, because NumPy's code computes sizes and axes with them."""
    if not holds_staged(a):
        return np.array(a, dtype, copy=copy, ndmin=ndmin, **options)
    return CREATORS[np.array](a, dtype, ndmin=ndmin)


class ArrayConverter:
    """NumPy's ``_array_converter``: makes arguments arrays, and results scalars where NumPy does."""

    def __init__(self, *given: Any) -> None:
        self._arrays = tuple(map(_asanyarray, given))
        self.scalar_input = tuple(isinstance(one, Tensor) and one.form is not Form.ARRAY for one in given)

    def __getitem__(self, position: int) -> Any:
        return self._arrays[position]

    def as_arrays(self, **options: object) -> tuple[Any, ...]:
        """All arguments as arrays."""
        return self._arrays

    def result_type(self, extra_dtype: Any = None, ensure_inexact: bool = False) -> Any:
        """The common dtype of the arguments."""
        dtypes = [one.dtype for one in self._arrays] + ([] if extra_dtype is None else [extra_dtype])
        return np.result_type(*dtypes, *([1.0] if ensure_inexact else []))

    def wrap(self, result: object, to_scalar: object = None) -> Any:
        """A result in the form that the caller gets: an array or a scalar."""
        becomes_scalar = all(self.scalar_input) if to_scalar is None else to_scalar
        if isinstance(result, Tensor) and not result.shape and becomes_scalar:
            return result[()]
        return result


STANDINS.update(
    {
        _Converter: ArrayConverter,
        np.asarray: _asanyarray,
        np.asanyarray: _asanyarray,
        np.array: _array,
        np.empty: CREATORS[np.empty],
        np.zeros: CREATORS[np.zeros],
        np.full: CREATORS[np.full],
    }
)


def borrow(function: Any) -> None:
    """Registers NumPy's own code as the staged version of a function.

    An error that NumPy's code raises becomes one of this package's errors that is also of NumPy's class. A
    function that NumPy does not dispatch is noted, so that its calls come here.
    """
    implementation = getattr(function, "__wrapped__", function)
    if implementation is function:
        UNDISPATCHED.add(function)

    @functools.wraps(implementation)
    def staged(*args: object, **kwargs: object) -> Any:
        trace = require_trace()
        if trace.depth_in_numpy > most_calls():
            raise RecursionError("maximum recursion depth exceeded")
        trace.depth_in_numpy += 1
        try:
            return rebound(implementation)(*args, **kwargs)
        except AutographError:
            raise
        except (ValueError, IndexError) as error:
            raise value_error(str(error)) from None
        except TypeError as error:
            raise type_error(_in_classes_of_the_program(str(error), (*args, *kwargs.values()))) from None
        finally:
            trace.depth_in_numpy -= 1

    overload(function)(staged)


_SERIES = {
    "polynomial": "polyval polyvander polyder",
    "chebyshev": "chebval chebvander chebder",
    "hermite": "hermval hermvander hermder",
    "hermite_e": "hermeval hermevander hermeder",
    "laguerre": "lagval lagvander lagder",
    "legendre": "legval legvander legder",
}
"""Functions of `np.polynomial`, which NumPy does not dispatch."""

for _series, _names in _SERIES.items():
    for _name in _names.split():
        borrow(getattr(getattr(np.polynomial, _series), _name))


def _value_of_series(value: Any, borrowed: Callable[..., Any]) -> None:
    """NumPy asks whether `x` is an array, and a staged one is none: coefficients get axes for `x` here."""

    @overload(value)
    def staged(x: Any, c: Any, tensor: bool = True) -> Any:
        if tensor and np.ndim(x) > 0:
            c = np.reshape(c, (*np.shape(c), *([1] * np.ndim(x))))
        return borrowed(x, c, False)


for _series, _names in _SERIES.items():
    _value = getattr(getattr(np.polynomial, _series), _names.split()[0])
    _value_of_series(_value, OVERLOADS[_value])
borrow(np.poly1d.__call__)
borrow(np.polynomial.Polynomial.__call__)

for _module, _names in ((np, _NAMES), (np.linalg, _LINEAR_ALGEBRA), (np.fft, _FOURIER)):
    for _name in _names.split():
        if hasattr(getattr(_module, _name, None), "__wrapped__"):  # not in every version of NumPy
            borrow(getattr(_module, _name))

_borrowed_take_along = OVERLOADS[np.take_along_axis]


@overload(np.take_along_axis)
def _take_along_axis(arr: object, indices: object, axis: object = -1) -> object:
    if axis is not None:
        return _borrowed_take_along(arr, indices, axis)
    if lift(indices).ndim != 1:
        raise value_error("when axis=None, `indices` must have a single dimension.")
    return _borrowed_take_along(np.ravel(lift(arr)), indices, 0)  # NumPy's code goes over `arr.flat`.


_borrowed_ix = OVERLOADS[np.ix_]


@overload(np.ix_)
def _ix(*args: Any) -> tuple[Any, ...]:
    if any(isinstance(given, Tensor) and None in given.sizes for given in args):
        return tuple(_grid(lift(given), place, len(args)) for place, given in enumerate(args))
    grids = _borrowed_ix(*args)
    # NumPy's code would use an int dtype for an empty list and for staged arrays.
    return tuple(
        grid.astype(given.dtype) if _is_empty_array(given) else grid
        for given, grid in zip(args, grids, strict=True)
    )


def _grid(indices: Tensor, place: int, rank: int) -> Any:
    """Indices of one axis as an array of so many axes, of which the others have size 1."""
    if indices.ndim != 1:
        raise value_error("Cross index must be 1 dimensional")
    if indices.dtype.kind == "b":
        (indices,) = nonzero(indices)
    return indices[(*(None,) * place, slice(None), *(None,) * (rank - place - 1))]


def _is_empty_array(value: object) -> bool:
    return (
        isinstance(value, Tensor)
        and value.form is Form.ARRAY
        and value.sizes == (0,)
        and value.dtype.kind != "b"
    )


_borrowed_norm = OVERLOADS[np.linalg.norm]


@overload(np.linalg.norm)
def _norm(x: object, ord: object = None, axis: object = None, keepdims: bool = False) -> Any:
    tensor = lift(x)
    is_of_all = type(ord) in (str, int) and (ord, tensor.ndim) in (("fro", 2), ("f", 2), (2, 1))
    if axis is not None or not (ord is None or is_of_all):
        result = _borrowed_norm(tensor, ord, axis, keepdims)
        is_power = type(ord) in (int, float) and ord not in (0, 1, 2, np.inf, -np.inf)
        is_of_vectors = type(axis) is int or (axis is None and tensor.ndim == 1)
        if is_power and is_of_vectors and tensor.dtype.kind == "f":
            return with_slope(lift(result), _smooth_norm(tensor, ord, axis, keepdims))
        return result
    # NumPy's code takes the elements in memory order, which staged arrays do not have.
    result = _borrowed_norm(np.ravel(tensor))
    return np.reshape(result, (1,) * tensor.ndim) if keepdims else result


def _smooth_norm(x: Tensor, order: Any, axis: Any, keepdims: bool) -> object:
    """The root of a sum of powers: its derivatives are 0 where the sum is, else one-sided at zeros."""
    sizes: Any = np.where(np.less(x, 0), np.negative(x), x)
    number = x.dtype.type
    is_nothing = np.equal(np.sum(sizes, axis=axis, keepdims=True), 0)
    # What is not chosen is to be harmless: derivatives of powers of 0 may be infinite.
    sizes = np.where(is_nothing, number(1), sizes)
    root = np.sum(sizes**order, axis=axis, keepdims=True) ** number(1 / order)
    norm = np.where(is_nothing, number(0), root)
    return norm if keepdims else np.squeeze(norm, axis)


def _in_classes_of_the_program(message: str, values: Iterable[object]) -> str:
    """A message of Python's operators, which names the classes that stand for those of the program."""
    for one in values:
        message = message.replace(f"'{type(one).__name__}'", f"'{type_name(one)}'")
    return message
