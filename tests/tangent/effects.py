"""What prints, appends and raises does so in the forward pass, once and in its place."""

from autograph import tangent

LOG = []


def f(x):
    y = x * x
    print("y is", y)
    if y > 100:
        raise ValueError("too large")
    LOG.append(y)
    assert y >= 0
    return y * x


derivative = tangent.grad(f)

assert (derivative(2.0), LOG) == (12.0, [4.0])
