"""Variables of the function around are read as they are; they have no derivative here."""

from autograph import tangent


def make(scale):
    def f(x):
        return scale * x * x

    return f


derivative = tangent.grad(make(3.0))

assert derivative(2.0) == 12.0
