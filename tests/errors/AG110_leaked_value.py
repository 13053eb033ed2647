# call: f(np.float64(3))
import autograph as ag
import numpy as np


class Kept:
    value = None


@ag.do_not_convert
def keep(x):
    Kept.value = x


def leak(x):
    keep(x)
    return x


ag.function(leak)(np.float64(1.0))


def f(x):
    return Kept.value + x
