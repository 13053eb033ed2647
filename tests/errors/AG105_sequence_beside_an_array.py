# call: f(np.array([1.0, 2.0]))
from collections import deque

LAST = deque([3.0, 4.0])


def f(x):
    return x == LAST
