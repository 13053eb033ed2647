# group: Statements
# plain: f(4)
# staged: f(np.float64(4))
"""`import` inside a function"""


def f(x):
    import math
    import os.path as path
    from functools import reduce, partial as part

    import numpy as np

    y = np.sqrt(x) + math.pi
    z = reduce(lambda a, b: a + b, [y, x, 1.0])
    return y, part(path.join, "a")("b"), z
