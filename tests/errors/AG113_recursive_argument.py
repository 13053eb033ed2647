# call: f(np.int64(3))
import numpy as np


def fill(first, second, n):
    if n > 0:
        first[n] = n
        fill(second, first, n - 1)


def f(n):
    evens, odds = np.zeros(4), np.zeros(4)
    fill(evens, odds, n)
    return evens, odds
