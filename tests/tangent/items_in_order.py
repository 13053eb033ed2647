"""Lists that are sorted and that items are put into, and the largest by a key."""

from autograph import tangent


def ordered(x):
    ys = [3.0 * x, x * x, 2.0]
    ys.sort(key=lambda y: -y)
    ys.insert(0, x)
    return ys[0] * ys[1] + max(ys, key=abs)


derivative = tangent.grad(ordered)
assert abs(derivative(1.5) - (ordered(1.5 + 1e-6) - ordered(1.5 - 1e-6)) / 2e-6) < 1e-6
