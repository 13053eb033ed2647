"""Functions of ``scipy.special`` that are composed of NumPy's: logistic functions, entropies.

special.expit(x)        1 / (1 + exp(-x))
special.xlogy(x, y)     x * log(y), and 0 where x is 0

SciPy is never imported here: its ufuncs are known by name, see :func:`OF_SCIPY`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from autograph._src.numpy.complex.complex_ufuncs import (
    add,
    both,
    divide,
    either,
    equal,
    greater_equal,
    invert,
    isnan,
    less,
    multiply,
    negative,
    real,
    subtract,
)
from autograph._src.numpy.elementwise.ufuncs import OF_SCIPY
from autograph._src.numpy.shapes.shapes import select
from autograph._src.staging.tensors.slopes import with_slope
from autograph._src.staging.tensors.tensor import Tensor

exp, log, log1p, power, logaddexp = map(real, (np.exp, np.log, np.log1p, np.power, np.logaddexp))

Composed = TypeVar("Composed", bound=Callable[..., object])


def of_scipy(implementation: Composed) -> Composed:
    """Registers the version of the ufunc of ``scipy.special`` with the function's name."""
    OF_SCIPY[implementation.__name__.strip("_")] = implementation
    return implementation


@of_scipy
def _expit(x: Tensor) -> object:
    is_below = less(x, 0)
    # The exponential of a number that is not positive overflows in no derivative.
    small = exp(select(is_below, x, negative(x)))
    slope = divide(select(is_below, small, 1.0), add(small, 1.0))
    return with_slope(divide(1.0, add(exp(negative(x)), 1.0)), slope)


@of_scipy
def _log_expit(x: Tensor) -> object:
    is_below = less(x, 0)
    small = log1p(exp(select(is_below, x, negative(x))))
    return subtract(select(is_below, x, 0.0), small)


@of_scipy
def _logit(x: Tensor) -> object:
    # Near a half the quotient is near 1, and its logarithm has lost digits.
    is_near = both(less(0.3, x), less(x, 0.65))
    twice = multiply(subtract(select(is_near, x, 0.5), 0.5), 2.0)
    near = subtract(log1p(twice), log1p(negative(twice)))
    far = log(divide(x, subtract(1.0, x)))
    return with_slope(select(is_near, near, far), subtract(log(x), log1p(negative(x))))


@of_scipy
def _softplus(x: Tensor) -> object:
    return logaddexp(0.0, x)


@of_scipy
def _exp10(x: Tensor) -> object:
    return power(x.dtype.type(10), x)


@of_scipy
def _xlogy(x: Tensor, y: Tensor) -> Tensor:
    return _times_logarithm(x, y, log, 0.0)


@of_scipy
def _xlog1py(x: Tensor, y: Tensor) -> Tensor:
    return _times_logarithm(x, y, log1p, -1.0)


def _times_logarithm(x: Tensor, y: Tensor, logarithm: Callable[[object], object], pole: float) -> Tensor:
    """``x * logarithm(y)``, and 0 where ``x`` is.

    Where ``y`` is at the pole too, the derivative by ``x`` is the logarithm, and that by ``y`` is 0.
    """
    number = x.dtype.type
    is_nothing = both(equal(x, 0), invert(isnan(y)))
    is_pole = both(is_nothing, equal(y, pole))
    factor = logarithm(select(is_pole, number(1), y))
    slope = multiply(x, select(is_pole, number(-np.inf), factor))
    return with_slope(select(is_nothing, number(0), multiply(x, factor)), slope)


@of_scipy
def _entr(x: Tensor) -> object:
    is_below = less(x, 0)
    inside = select(is_below, x.dtype.type(1), x)
    return select(is_below, x.dtype.type(-np.inf), negative(_xlogy(inside, inside)))


@of_scipy
def _rel_entr(x: Tensor, y: Tensor) -> object:
    return _relative(x, y, lambda entropy: entropy)


@of_scipy
def _kl_div(x: Tensor, y: Tensor) -> object:
    return _relative(x, y, lambda entropy: add(subtract(entropy, x), y))


def _relative(x: Tensor, y: Tensor, made: Callable[[Tensor], object]) -> object:
    """What is made of ``x * log(x / y)``; infinite where a number is negative, or only the divisor is 0.

    Where both are 0, the derivatives of the product are 0.
    """
    number = x.dtype.type
    is_nothing = both(equal(x, 0), greater_equal(y, 0))
    is_usual = both(less(0, x), less(0, y))
    quotient = divide(select(is_usual, x, number(1)), select(is_usual, y, number(1)))
    product = multiply(x, log(quotient))
    value = select(is_nothing, number(0), product)
    has_slope = both(greater_equal(x, 0), less(0, y))
    first, second = select(has_slope, x, number(1)), select(has_slope, y, number(1))
    slope = subtract(_xlogy(first, first), _xlogy(first, second))
    entropy = with_slope(value, select(has_slope, slope, number(0)))
    is_nan = invert(both(equal(x, x), equal(y, y)))
    outside = select(is_nan, number(np.nan), number(np.inf))
    return select(either(is_usual, is_nothing), made(entropy), outside)
