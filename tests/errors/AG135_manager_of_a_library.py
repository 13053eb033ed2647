# call: f(np.arange(3.0), np.int64(1))
import unittest


def f(xs, i):
    y = -1.0
    with unittest.TestCase().assertRaises(IndexError):
        y = xs[i + 2]
    return y
