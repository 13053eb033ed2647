"""Items that are taken out of a dict and of a list: what is left has the adjoint of what is there later."""

from autograph import tangent


def taken(x):
    d = {"a": x, "b": x * x}
    y = d.pop("a")
    d.update(c=y * x)
    queue = [d["b"], d["c"]]
    first = queue.pop(0)
    del d["b"]
    return first * queue[0] + d["c"]


derivative = tangent.grad(taken)
assert abs(derivative(1.5) - (taken(1.5 + 1e-6) - taken(1.5 - 1e-6)) / 2e-6) < 1e-6
