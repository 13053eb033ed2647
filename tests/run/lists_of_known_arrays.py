# run: written(np.int64(1))
# run: written(np.int64(0))
# run: written(np.int64(0))
# run: grown(np.int64(1))
# run: grown(np.int64(2))
# run: rows(np.int64(1))
# run: rows(np.int64(2))
# run: narrow(np.int64(1))
# run: narrow(np.int64(3))
# run: of_complex(np.int64(1))
# run: of_complex(np.int64(0))
"""`tolist` of an array of a known size: lists of the program, which it changes."""

import numpy as np


def written(n):
    xs = np.arange(3.0).tolist()
    xs[n] = 5.0
    return xs


def grown(n):
    xs = np.arange(3.0).tolist()
    xs.append(n)
    return xs, len(xs)


def rows(n):
    xs = (np.arange(6.0).reshape(2, 3) * n).tolist()
    ys = xs[0]
    ys[n] = 5.0
    xs.append([])
    return xs, ys is xs[0]


def narrow(n):
    xs = np.arange(4, dtype=np.int8).tolist()
    xs[n] = 7
    return xs


def of_complex(n):
    xs = (np.arange(4).reshape(2, 2) * 1j).tolist()
    xs[0][n] = 5j
    return xs
