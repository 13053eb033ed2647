# run: branches(np.int64(-1))
# run: branches(np.int64(1))
# run: branches(np.int64(3))
# run: listed(np.int64(-1))
# run: listed(np.int64(1))
# run: listed(np.int64(3))
# run: called(np.int64(-1))
# run: called(np.int64(1))
# run: called(np.int64(3))
# run: handed_down(np.int64(-1))
# run: handed_down(np.int64(1))
# run: handed_down(np.int64(3))
# run: held(np.int64(-1))
# run: held(np.int64(1))
# run: held(np.int64(3))
"""0.0 and -0.0 are equal, and are two numbers wherever one of them can be seen."""

import numpy as np


def branches(c):
    if c > 0:
        y = 0.0
    else:
        y = -0.0
    return y


def listed(c):
    found = []
    for i in range(7):
        found.append(-0.0 if i > c else 0.0)
    return found


def called(c):
    def sign(i):
        if i > c:
            return -0.0
        return 0.0

    return sign(1), sign(3), sign(9)


def handed_down(n):
    def last(n, z):
        if n <= 0:
            return z
        return last(n - 1, z)

    return last(n, 0.0), last(n, -0.0), last(n, np.float64(-0.0))


class Holder:
    pass


def held(c):
    holder = Holder()
    holder.value = 0.0
    if c > 0:
        holder.value = -0.0
    return holder.value, [holder.value]
