# call: f(np.array([1.0, 2.0]))
from collections import deque

import numpy as np

LAST = deque([3.0, 4.0])


def f(x):
    return x == LAST
