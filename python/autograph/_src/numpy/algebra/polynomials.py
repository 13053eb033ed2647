"""``polymul`` and ``polydiv``: polynomials as vectors of coefficients, the highest power first.

NumPy drops leading coefficients that are zero, so the size of a result depends on data:

    np.polymul([0, 1, 2], [1, 3])       convolve([1, 2], [1, 3])
    np.polydiv([1, 2, 1], [1, 1])       quotient [1, 1], remainder [0]

This file computes with all coefficients and cuts off the leading zeros of the result.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from autograph._src.numpy.calls.registry import call_function, overload
from autograph._src.numpy.complex.complex_dispatch import complex_overload
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace.active import staging_error, value_error


def _coefficients(values: object, name: str) -> Any:
    """A vector of known length."""
    x: Any = np.atleast_1d(lift(values))
    if x.ndim != 1:
        raise value_error("Polynomial must be 1d only.")
    if x.sizes[0] is None:
        raise staging_error(
            "AG117", f"how many coefficients `np.{name}` gets depends on data", "give it arrays of known size"
        )
    if not x.sizes[0]:
        raise value_error(f"`np.{name}` of a polynomial without coefficients is not staged")
    return x


def _leading(are_dropped: object) -> Any:
    """The number of leading elements for which a test holds, at most all but one."""
    run = np.cumprod(lift(are_dropped).astype(np.int64))
    return np.minimum(np.sum(run), run.shape[0] - 1)


@overload(np.polymul)
@complex_overload(np.polymul)
def _polymul(a1: ArrayLike, a2: ArrayLike) -> object:
    x, y = (_coefficients(one, "polymul") for one in (a1, a2))
    zeros = _leading(np.equal(x, 0)) + _leading(np.equal(y, 0))
    return np.convolve(x, y)[zeros:]


@overload(np.polydiv)
@complex_overload(np.polydiv)
def _polydiv(u: Any, v: Any) -> tuple[Any, Any]:
    dividend, divisor = (_coefficients(one, "polydiv") + 0.0 for one in (u, v))
    common = (dividend[0] + divisor[0]).dtype
    count = dividend.sizes[0] - divisor.sizes[0] + 1
    scale = 1.0 / divisor[0]
    quotient, rest = call_function(np.zeros, (max(count, 1), common), {}), dividend.astype(common)
    for place in range(count):
        factor = scale * rest[place]
        quotient[place] = factor
        among = slice(place, place + divisor.sizes[0])
        rest[among] = rest[among] - factor * divisor
    # NumPy also drops leading coefficients that are nearly zero.
    return quotient, _from(rest, _leading(np.isclose(rest, 0, rtol=1e-14)))


def _from(values: Any, start: Any) -> Tensor:
    return values[start:]  # type: ignore[no-any-return]
