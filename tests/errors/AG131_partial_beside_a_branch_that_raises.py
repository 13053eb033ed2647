# call: f(np.arange(4.0), np.bool_(True))
from functools import partial


def added(x, y):
    return x + y


def f(x, c):
    if c:
        add = partial(added, x * 2)
    else:
        raise ValueError("nothing to add")
    return add(x)
