# group: Builtins
# plain: f(3)
# plain: f(2.5)
# plain: f(None)
# plain: f([1])
# staged: f(np.int64(3))
# staged: f(np.float64(3))
# staged: array(np.ones(3))
# plain: array(np.ones(3))
"""`isinstance`, `type`, `callable`"""
import numpy as np


def f(x):
    if isinstance(x, (int, np.integer)):
        return 1
    if isinstance(x, float):
        return 2
    return 3 if x is None else 4


def array(x):
    return isinstance(x, np.ndarray), isinstance(x, list), isinstance(x, (float, np.ndarray))
