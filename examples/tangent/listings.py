"""The listings of the paper *Tangent* (van Merriënboer, Wiltschko, Moldovan 2017), run one after the other.

Each prints the source of the derivative; the assertions say what it gives.
"""

from typing import Any

import numpy as np
from autograph import tangent
from autograph.tangent import d


def f(x: Any) -> Any:
    return x * x


def listing_1_and_3() -> None:
    """The gradient of ``x * x``, by one call, and its source."""
    df = tangent.grad(f)
    assert df(3.0) == 6.0
    print(tangent.to_source(df))


def loop(x: Any, num_steps: int) -> Any:
    for _ in range(num_steps):
        if np.sum(x) > 1:
            x = x / 2
    return np.sum(x)


def listing_2() -> None:
    """A loop and a branch that depend on data."""
    dloop = tangent.grad(loop)
    assert np.array_equal(dloop(np.full(3, 4.0), 5), np.full(3, 0.0625))
    print(tangent.to_source(dloop))


@tangent.tangent
def halved(x: Any) -> Any:
    with tangent.grad_of(x) as dx:
        if dx > 10:
            print("Warning, large gradient of x", dx)
        dx /= 2
    return x * x


def listing_4() -> None:
    """Code of the user's in the backward pass: the gradient is halved, and a large one is logged."""
    dhalved = tangent.grad(halved)
    assert halved(2.0) == 4.0
    assert dhalved(2.0) == 2.0
    dhalved(6.0)
    print(tangent.to_source(dhalved))


def multiply(x: Any, y: Any) -> Any:
    return np.multiply(x, y)


@tangent.adjoint(multiply)
def adjoint_multiply(result: Any, arg1: Any, arg2: Any) -> None:
    d[arg1] = arg2 * d[result]
    d[arg2] = arg1 * d[result]


def product(var1: Any, var2: Any) -> Any:
    var3 = multiply(var1, var2)
    return np.sum(var3)


def listing_5() -> None:
    """A rule is quoted, and the names of the program are put into it."""
    dproduct = tangent.grad(product, wrt=(0, 1))
    first, second = dproduct(np.array([1.0, 2.0]), np.array([3.0, 5.0]))
    assert first.tolist() == [3.0, 5.0] and second.tolist() == [1.0, 2.0]
    print(tangent.to_source(dproduct))


if __name__ == "__main__":
    for listing in (listing_1_and_3, listing_2, listing_4, listing_5):
        print(f"--- {listing.__name__.replace('_', ' ')}: {listing.__doc__}")
        listing()
