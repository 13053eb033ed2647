# run: vectors(np.array([3.0, 1.0, 2.0]), np.int64(2))
# run: vectors(np.array([0.5]), np.int64(0))
# run: vectors(np.array([]), np.int64(0))
# run: used(np.array([3.0, 1.0, 2.0]))
"""`tolist` of a vector of which only the run knows the size: Python's numbers, of every dtype."""

import numpy as np


def vectors(x, n):
    return (
        np.ones(n).tolist(),
        x[x > 1].tolist(),
        str((x[x > 1] * 1j).tolist()),
        x[x > 1].astype(np.int16).tolist(),
        str(x[x > 1].astype(np.float16).tolist()),
        x[x > 1].astype(np.int64).tolist(),
        (x[x > 1] > 2).tolist(),
    )


def used(x):
    found = x[x > 1].tolist()
    found.append(5.0)
    return sorted(found), len(found), f"{found}"
