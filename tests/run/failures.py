# raises: at(np.arange(3.0), np.int64(5)) IndexError
# run: at(np.arange(3.0), np.int64(-1))
# raises: positive(np.float64(-1.0)) AssertionError
# run: positive(np.float64(1.0))
# raises: checked(np.float64(-3.0)) ValueError
# run: checked(np.float64(3.0))
# raises: in_loop(np.array([1.0, 2.0, -1.0])) ValueError
# run: in_loop(np.array([1.0, 2.0]))
import numpy as np


def at(x, i):
    return x[i] * 2


def positive(x):
    assert x > 0, f"x is {x}"
    return x


def checked(x):
    if x < 0:
        raise ValueError("negative", 1)
    return np.sqrt(x)


def in_loop(values):
    total = 0.0
    for v in values:
        if v < 0:
            raise ValueError(f"negative: {v}")
        total += v
    return total
