"""Code in the backward pass (the paper's Listing 4)."""

from autograph import tangent


def f(x):
    with tangent.grad_of(x) as dx:
        if dx > 10:
            print("large gradient", dx)
        dx /= 2
    return x * x


derivative = tangent.grad(f)

assert derivative(3.0) == 3.0
