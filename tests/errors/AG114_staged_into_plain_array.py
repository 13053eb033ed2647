# call: f(np.float64(3))
from collections import deque

import numpy as np

tables = deque([np.zeros(3)])


def f(x):
    np.multiply(np.ones(3), x, out=tables[0])
    return tables[0]
