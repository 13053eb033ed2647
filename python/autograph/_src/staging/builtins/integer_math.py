"""Functions of ints over staged ones.

    while math.gcd(a, n) != 1:
        a = pow(a, n - 2, n)

``math.gcd``, ``lcm``, ``isqrt``, ``comb``, ``perm``, ``factorial``, ``pow`` with a modulus and the methods
``bit_length`` and ``bit_count`` are their algorithms in Python, which is converted. No step is larger than
the result and the arguments, so that a run leaves 64 bits (AG203) only where the result does.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from typing import Any

from autograph._src.operators.calls import converted_call
from autograph._src.policy import request_own
from autograph._src.staging.builtins.staged_builtins import TABLE
from autograph._src.staging.kinds.unions import StagedUnion, over_alternatives
from autograph._src.staging.tensors.lifting import is_python_scalar
from autograph._src.staging.tensors.number_tensor import METHODS_OF_INT
from autograph._src.staging.tensors.python_scalars import cast
from autograph._src.staging.tensors.tensor import Tensor, class_text
from autograph._src.staging.trace.active import type_error

_LARGEST_ROOT = math.isqrt(2**63 - 1)
"""The largest int whose square has 64 bits."""


def _gcd(a: int, b: int) -> int:
    a, b = abs(a), abs(b)
    while b != 0:
        a, b = b, a % b
    return a


def _lcm(a: int, b: int) -> int:
    if a == 0 or b == 0:
        return 0
    return abs(a // _gcd(a, b) * b)


def _isqrt(n: int) -> int:
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    root = min(int(math.sqrt(n)), _LARGEST_ROOT)  # One too large or too small at most.
    if root * root > n:
        root -= 1
    elif root < _LARGEST_ROOT and (root + 1) * (root + 1) <= n:
        root += 1
    return root


def _factorial(n: int) -> int:
    if n < 0:
        raise ValueError("factorial() not defined for negative values")
    result = 1
    for factor in range(2, n + 1):
        result *= factor
    return result


def _refuse_negative(n: int, k: int) -> None:
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")


def _perm(n: int, k: int) -> int:
    _refuse_negative(n, k)
    result = 1 if k <= n else 0
    if k <= n:
        for factor in range(n - k + 1, n + 1):
            result *= factor
    return result


def _comb(n: int, k: int) -> int:
    _refuse_negative(n, k)
    result = 1 if k <= n else 0
    if k <= n:
        for i in range(min(k, n - k)):
            common = _gcd(result, i + 1)
            result = result // common * ((n - i) // ((i + 1) // common))
    return result


def _product_modulo(x: int, y: int, modulus: int) -> int:
    """``x * y % modulus`` of two ints below it: by doubling where the product may have more than 64 bits."""
    if modulus <= _LARGEST_ROOT:
        return x * y % modulus
    result = 0
    while y > 0:
        if y & 1 == 1:
            result = result - (modulus - x) if result >= modulus - x else result + x
        x = x - (modulus - x) if x >= modulus - x else x + x
        y >>= 1
    return result


def _inverse(base: int, modulus: int) -> int:
    rest, other, factor, next_factor = base, modulus, 1, 0
    while other != 0:
        quotient = rest // other
        rest, other = other, rest - quotient * other
        factor, next_factor = next_factor, factor - quotient * next_factor
    if rest != 1:
        raise ValueError("base is not invertible for the given modulus")
    return factor % modulus


def _power_modulo(base: int, exponent: int, modulus: int) -> int:
    if modulus == 0:
        raise ValueError("pow() 3rd argument cannot be 0")
    size = abs(modulus)
    base %= size
    if exponent < 0:
        base = _inverse(base, size)
        exponent = -exponent
    result = 1 % size
    while exponent > 0:
        if exponent & 1 == 1:
            result = _product_modulo(result, base, size)
        base = _product_modulo(base, base, size)
        exponent >>= 1
    if modulus < 0 and result > 0:
        result += modulus
    return result


def _bit_length(n: int) -> int:
    n, length = abs(n), 0
    while n > 0:
        n >>= 1
        length += 1
    return length


def _bit_count(n: int) -> int:
    n, count = abs(n), 0
    while n > 0:
        n &= n - 1
        count += 1
    return count


for _algorithm in (
    *(_gcd, _lcm, _isqrt, _factorial, _refuse_negative, _perm, _comb, _product_modulo, _inverse),
    *(_power_modulo, _bit_length, _bit_count),
):
    request_own(_algorithm)


def _whole(value: Any) -> Any:
    """A number as a Python int, by its ``__index__``: CPython's error for floats and arrays."""
    if not isinstance(value, Tensor):
        return operator.index(value)
    if value.sizes or value.dtype.kind not in ("ib" if is_python_scalar(value) else "iu"):
        message = (
            "only integer scalar arrays can be converted to a scalar index"
            if value.sizes
            else f"{class_text(value)!r} object cannot be interpreted as an integer"
        )
        raise type_error(message)
    return cast(value, "int64")


def _of_ints(algorithm: Callable[..., Any]) -> Callable[..., Any]:
    """The version of a function for staged arguments, each of which may be of several types."""

    def implementation(*args: Any) -> Any:
        if any(type(one) is StagedUnion for one in args):
            return over_alternatives(implementation, args, {})
        return converted_call(algorithm, *map(_whole, args))

    return implementation


def _of_several(algorithm: Callable[..., Any]) -> Callable[..., Any]:
    """The version of a function of any number of ints, from that of two."""
    of_two = _of_ints(algorithm)

    def implementation(*args: Any) -> Any:
        return of_two(*args, args[0]) if len(args) == 1 else functools.reduce(of_two, args)

    return implementation


def _permutations(n: Any, k: Any = None, /) -> Any:
    return _of_ints(_factorial)(n) if k is None else _of_ints(_perm)(n, k)


TABLE[math.gcd] = _of_several(_gcd)
TABLE[math.lcm] = _of_several(_lcm)
TABLE[math.isqrt] = _of_ints(_isqrt)
TABLE[math.factorial] = _of_ints(_factorial)
TABLE[math.comb] = _of_ints(_comb)
TABLE[math.perm] = _permutations


def power_modulo(base: Any, exponent: Any, modulus: Any) -> Any:
    """``pow(base, exponent, modulus)`` of Python's numbers, which have to be ints."""
    for one in (base, exponent, modulus):
        is_int = one.dtype.kind in "ib" if isinstance(one, Tensor) else isinstance(one, int)
        if not is_int:
            raise type_error("pow() 3rd argument not allowed unless all arguments are integers")
    return _of_ints(_power_modulo)(base, exponent, modulus)


METHODS_OF_INT["bit_length"] = _of_ints(_bit_length)
METHODS_OF_INT["bit_count"] = _of_ints(_bit_count)
