# run: outer(np.array([1.0, -2.0, 3.0]))
# run: higher(np.arange(5.0))
# run: keyword(np.float64(2.0))
# run: method(np.float64(2.0))
# run: builtins(np.array([3.0, 1.0, 2.0]))
# run: zipped(np.arange(4.0), np.arange(4.0) ** 2)
import numpy as np


def relu(v):
    if v > 0:
        return v
    return 0.0 * v


def outer(values):
    total = 0.0
    for v in values:
        total += relu(v)
    return total


def apply(f, x, times=3):
    for _ in range(times):
        x = f(x)
    return x


def higher(x):
    scale = x.sum()

    def step(v):
        return v * 0.5 + scale if v.sum() < 100 else v

    return apply(step, x, times=4), apply(lambda v: v + 1, x)


def power(base, *, exponent=2, **rest):
    return base**exponent + len(rest)


def keyword(x):
    return power(x), power(x, exponent=3), power(base=x, other=1)


class Model:
    def __init__(self, weight):
        self.weight = weight

    def __call__(self, x):
        return self.act(self.weight * x)

    def act(self, y):
        if y > 3:
            return y - 3
        return y


def method(x):
    return Model(1.0)(x), Model(2.0)(x)


def builtins(x):
    return (
        len(x),
        sum(x),
        max(x[0], x[1]),
        min(x),
        abs(-x[0]),
        any(x > 2),
        all(x > 2),
        isinstance(x, np.ndarray),
    )


def zipped(a, b):
    total = 0.0
    for i, (p, q) in enumerate(zip(a, b)):
        total += i * p - q
    for v in reversed(a):
        total = total * 2 + v
    return total
