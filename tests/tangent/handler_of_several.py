"""`except` around several assignments: each is asked where those before it have not raised."""

import math

from autograph import tangent


def f(x):
    try:
        y = math.log(x)
        z = math.sqrt(y)
    except ValueError:
        z = x * x
    return z * x


derivative = tangent.grad(f)

assert derivative(-2.0) == 12.0
assert abs(derivative(math.e) - (1.0 + 0.5)) < 1e-12
assert derivative(0.5) == 0.75
