"""`break` in a block leaves the loop of the backward pass: truncated back-propagation."""

from autograph import tangent


def f(x, n):
    state = 0.0
    for i in range(n):
        with tangent.grad_of(state) as dstate:
            if i < n - 2:
                break
        state = 0.5 * state + x
    return state


derivative = tangent.grad(f)

assert derivative(1.0, 10) == 1.75
