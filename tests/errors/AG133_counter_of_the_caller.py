# call: f(np.float64(3.0), Counter(a=1), Counter(a=2))
from collections import Counter as Counter


def f(x, one, other):
    found = one
    if x > 0:
        found = other
    return found["a"] * x
