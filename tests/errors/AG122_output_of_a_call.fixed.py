# call: f(np.float64(3))
import autograph as ag
import numpy as np

table = np.zeros(3)


@ag.py_function
def count() -> None:
    np.add(table, 1.0, out=table)


def f(x):
    count()
    return x * 2.0
