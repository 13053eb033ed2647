# call: f(np.int64(3))
import numpy as np


def f(n):
    sums = [np.zeros(2), np.ones(2)]
    first = sums[0]
    for i in range(n):
        sums[i % 2] += i
    return sums, first
