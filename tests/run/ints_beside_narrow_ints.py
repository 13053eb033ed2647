# run: compared(300, np.uint8(3))
# run: compared(-1, np.uint8(255))
# run: compared(255, np.array([0, 255], np.uint8))
# run: compared(2**40, np.array([-1, 2**31 - 1], np.int32))
# run: compared(-(2**63), np.int32(-5))
# run: known(np.uint8(3))
# run: known(np.array([0, 255], np.uint8))
# run: known(np.int32(-7))
# run: smallest(2**53 + 1, np.uint8(3), np.int64(2))
# run: smallest(2**53 + 1, np.uint8(3), np.int64(1))
"""NumPy compares its integers with Python's as numbers, whether they fit into its dtype or not."""

import numpy as np


def compared(a, b):
    return a < b, b <= a, a == b, b != a, np.less(a, b), np.equal(b, a)


def known(b):
    return b < 300, b >= -1, b == 2**40, b != 3, np.greater(b, 2**62)


def smallest(x, y, n):
    v, u = x, y
    for _ in range(n):
        v, u = u, v
    return min(y, v), max(y, v)
