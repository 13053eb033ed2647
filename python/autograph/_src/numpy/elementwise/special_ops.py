"""Functions of ``scipy.special`` that are ops or composed of such: of gamma, beta, Bessel and errors.

special.gammaln(x)      op "gammaln"
special.psi(x)          op "polygamma" of order 0
special.ndtr(x)         of "erf" and "erfc"
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograph._src.numpy.calls.of_scipy import function_of_scipy
from autograph._src.numpy.complex.complex_ufuncs import (
    add,
    divide,
    equal,
    less,
    multiply,
    negative,
    real,
    subtract,
)
from autograph._src.numpy.elementwise.special import of_scipy
from autograph._src.numpy.elementwise.ufuncs import OF_SCIPY
from autograph._src.numpy.shapes.shapes import select
from autograph._src.staging.tensors.lifting import constant, lift
from autograph._src.staging.tensors.tensor import Form, Tensor, emit, wrap
from autograph._src.staging.trace.active import staging_error

absolute, log, log1p = map(real, (np.absolute, np.log, np.log1p))


def _of_one(op: str, x: Tensor) -> Tensor:
    return wrap(emit("unary", op, x.read()))


def _of_two(op: str, x: Tensor, y: Tensor) -> Tensor:
    return wrap(emit("binary", op, x.read(), y.read()))


def of_order(op: str, order: int, x: Tensor) -> Tensor:
    """An op whose first operand is an order.

    Args:
        op: The op.
        order: The order.
        x: The number, a float.
    """
    return wrap(emit("binary", op, constant(order, x.dtype).read(), x.read()))


OF_SCIPY.update({name: partial(_of_one, name) for name in ("gamma", "gammaln", "erfc", "erfinv", "ndtri")})
OF_SCIPY.update({name: partial(_of_two, name) for name in ("beta", "betaln")})
OF_SCIPY.update(
    psi=partial(of_order, "polygamma", 0),
    erfcx=partial(of_order, "erfcx", 0),
    i0=partial(of_order, "bessel_i", 0),
    i1=partial(of_order, "bessel_i", 1),
    i0e=partial(of_order, "bessel_i_scaled", 0),
    i1e=partial(of_order, "bessel_i_scaled", 1),
)


@of_scipy
def _ndtr(x: Tensor) -> object:
    return _in_double(x, _distribution)


def _distribution(x: Tensor) -> object:
    t = multiply(x, math.sqrt(0.5))
    size = absolute(t)
    tail = multiply(_of_one("erfc", size), 0.5)
    middle = add(multiply(_of_one("erf", t), 0.5), 0.5)
    far = select(less(0.0, t), subtract(1.0, tail), tail)
    return select(less(size, math.sqrt(0.5)), middle, far)


@of_scipy
def _log_ndtr(x: Tensor) -> object:
    return _in_double(x, _logarithm_of_distribution)


def _logarithm_of_distribution(x: Tensor) -> object:
    t = multiply(x, math.sqrt(0.5))
    is_low = less(x, -1.0)
    # What is not chosen stays finite, in its derivatives too.
    low, high = select(is_low, t, -1.0), select(is_low, 0.0, t)
    # Far down, the distribution is 0, and its logarithm that of a square.
    scaled = divide(of_order("erfcx", 0, negative(low)), 2.0)
    below = subtract(log(scaled), multiply(low, low))
    above = log1p(divide(_of_one("erfc", high), -2.0))
    return select(is_low, below, above)


def _in_double(x: Tensor, function: Callable[[Tensor], Any]) -> object:
    """A function of ``x * x``, whose rounding is as many digits of an exponential, in double precision."""
    return function(x.astype(np.float64)).astype(x.dtype)


@function_of_scipy
def _polygamma(n: Any, x: object) -> object:
    order = lift(n)
    is_integer = order.dtype.kind in "biu" or (not isinstance(n, Tensor) and np.all(np.floor(n) == n))
    if not is_integer:
        raise staging_error(
            "AG107",
            "`scipy.special.polygamma` of an order that is no integer is not supported",
            "give it an order of an integer dtype",
        )
    number = lift(x)
    value = _of_two("polygamma", order.astype(np.float64), number.astype(np.float64))
    if number.dtype == np.float32:  # SciPy has `psi` of such in single precision.
        value = select(equal(order, 0), of_order("polygamma", 0, number).astype(np.float64), value)
    return wrap(value.read(), Form.ARRAY)
