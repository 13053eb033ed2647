# call: f(np.float64(3))
import itertools


def f(x):
    for i in itertools.count():
        if x < i:
            break
        x = x - 1
    return x
