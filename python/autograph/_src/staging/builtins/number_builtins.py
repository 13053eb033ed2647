"""Builtins that make numbers of numbers: ``int(x)``, ``round(x)``, ``math.floor(x)``."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph._src.numpy.elementwise.ufuncs import apply
from autograph._src.own_attributes import has_own
from autograph._src.staging.builtins.decimal_rounding import known_digits, rounded
from autograph._src.staging.builtins.integer_math import power_modulo
from autograph._src.staging.builtins.staged_builtins import TABLE, staged
from autograph._src.staging.complex.complex_numbers import complex_of
from autograph._src.staging.complex.complex_tensor import ComplexTensor, refusal
from autograph._src.staging.kinds.optionals import StagedOptional, required
from autograph._src.staging.kinds.unions import StagedUnion, over_alternatives
from autograph._src.staging.narrow.narrow_tensor import NarrowTensor
from autograph._src.staging.tensors.lifting import is_python_scalar, lift
from autograph._src.staging.tensors.python_scalars import (
    cast,
    compare,
    require,
    require_divisor_of_divmod,
    to_int,
    truth,
)
from autograph._src.staging.tensors.staged_strings import StagedString
from autograph._src.staging.tensors.tensor import Form, Tensor, class_text, emit, plain_class, wrap
from autograph._src.staging.trace.active import type_error
from autograph._src.staging.trace.statements import use_characters

_NO_INT = "int() argument must be a string, a bytes-like object or a real number, not '{}'"
_NO_FLOAT = "float() argument must be a string or a real number, not '{}'"
_NO_COMPLEX = "complex() first argument must be a string or a number, not '{}'"
NO_REAL = "must be real number, not {}"


@staged(abs)
def _abs(value: Any) -> object:
    return abs(value)


@staged(int)
def _int(value: object = 0, /, *given: object, **options: object) -> Tensor | int:
    if isinstance(value, StagedString):
        return use_characters("int", value, *given, **options)  # type: ignore[no-any-return]
    if given or options:
        # CPython checks the base first, and so must this; a staged base raises that its value is needed.
        text: Any = value if isinstance(value, (str, bytes, bytearray)) else object()
        return int(text, *given, **options)
    return to_int(_real(as_scalar(value, _NO_INT), _NO_INT))


@staged(float)
def _float(value: object = 0.0) -> Tensor:
    return cast(_real(as_scalar(value, _NO_FLOAT), _NO_FLOAT), "float64")


def _real(value: Tensor, words: str) -> Tensor:
    """The number, if it is real; refuses complex ones."""
    if not isinstance(value, ComplexTensor):
        return value
    if value.form is Form.PYTHON:
        raise type_error(words.format("complex"))
    raise refusal(f"`{words.partition('(')[0]}`", value)  # NumPy would only warn and drop the part.


@staged(complex)
def _complex(*args: object, **parts: object) -> ComplexTensor:
    return complex_of(*(as_scalar(value, _NO_COMPLEX) for value in args), **parts)


@staged(bool)
def _bool(value: object = False) -> Tensor:
    return truth(value)


def as_scalar(value: object, no_number: str) -> Tensor:
    """A value as a staged number of rank 0; other values raise CPython's error, which names their class."""
    if isinstance(value, (list, tuple)):
        raise TypeError(no_number.format("list" if isinstance(value, list) else type(value).__name__))
    tensor = lift(value)
    words = _words_for_arrays()
    if tensor.sizes and not _converts_one_element():
        raise TypeError(words)
    size = tensor.size
    if isinstance(size, Tensor):
        require(compare("equal", size, 1), TypeError, words)
    elif size != 1:
        raise type_error(words)
    if isinstance(tensor, NarrowTensor):
        tensor = tensor.ag_number()
    if isinstance(tensor, ComplexTensor):
        return tensor if not tensor.sizes else tensor.reshape(())
    return tensor if not tensor.sizes else wrap(emit("reshape", tensor.read(), []))


@functools.cache
def _converts_one_element() -> bool:
    """Whether this version of NumPy still converts an array of one element to a number."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            float(np.zeros(1))
        except TypeError:
            return False
    return True


@functools.cache
def _words_for_arrays() -> str:
    """This NumPy version's message for ``float(np.zeros(2))``."""
    try:
        float(np.zeros(2))
    except TypeError as error:
        return str(error)
    return ""


def _round_with(ufunc: np.ufunc) -> Callable[[Any], Any]:
    def implementation(value: Any) -> object:
        if ufunc is np.trunc and isinstance(value, Tensor) and not hasattr(plain_class(value), "__trunc__"):
            raise type_error(f"type {class_text(value)} doesn't define __trunc__ method")
        scalar = as_scalar(value, NO_REAL)
        return cast(scalar, "int64") if scalar.dtype.kind != "f" else to_int(apply(ufunc, scalar))

    return implementation


for _function, _ufunc in ((math.floor, np.floor), (math.ceil, np.ceil), (math.trunc, np.trunc)):
    TABLE[_function] = _round_with(_ufunc)


@staged(round)
def _round(number: Any, ndigits: Any = None) -> object:
    if isinstance(number, StagedOptional):
        number = required(number, "type NoneType doesn't define __round__ method", TypeError)
    if type(number) is StagedUnion:
        return over_alternatives(_round, (number, ndigits), {})
    if not isinstance(number, Tensor):  # A constant alternative of a union.
        return round(number) if ndigits is None else round(number, ndigits)
    if isinstance(number, Tensor) and number.form is Form.ARRAY:
        raise type_error("type numpy.ndarray doesn't define __round__ method")
    if ndigits is not None:
        return _round_to(number, ndigits)
    if has_own(number, "ag_cast"):  # An int of 64 bits without a sign.
        return number
    if has_own(number, "ag_number"):  # Of a dtype that the graph does not have.
        number = number.ag_number()
    if number.dtype.kind in "iu":
        return cast(number, "int64")
    if not is_python_scalar(number):
        return to_int(apply(np.rint, number))
    return number if number.dtype.kind == "i" else to_int(wrap(emit("unary", "rint", number.read())))


def _round_to(number: Any, ndigits: Any) -> object:
    """``round(number, ndigits)``: Python's decimal digits, or NumPy's scaled ones."""
    if is_python_scalar(number):
        return rounded(number, ndigits)
    if number.dtype.kind == "b":
        raise type_error(f"type {class_text(number)} doesn't define __round__ method")
    return np.round(number, known_digits(ndigits))


@staged(pow)
def _pow(base: Any, exp: Any, mod: object = None) -> object:
    if mod is None:
        return base**exp
    if all(is_python_scalar(value) or isinstance(value, int) for value in (base, exp, mod)):
        return power_modulo(base, exp, mod)
    named = ", ".join(repr(class_text(value)) for value in (base, exp, mod))
    raise type_error(f"unsupported operand type(s) for ** or pow(): {named}")


@staged(divmod)
def _divmod(x: Any, y: Any) -> tuple[Any, Any]:
    require_divisor_of_divmod(x, y)
    try:
        return x // y, x % y
    except TypeError as error:
        raise TypeError(str(error).replace("for //:", "for divmod():")) from None
