"""`match` is `if` where values with derivatives are around it."""

from autograph import tangent


def f(xs, kind):
    match xs:
        case [a, b]:
            y = a * b
        case [a, *rest] if len(rest) > 2:
            y = a * rest[0]
        case _:
            y = 0.0
    match kind:
        case "doubled" | "twice":
            y = y * 2
    return y


derivative = tangent.grad(f)

assert derivative([2.0, 3.0], "twice") == [6.0, 4.0]
