# call: f(np.float64(3))
import autograph as ag
import numpy as np

kept = []


@ag.do_not_convert
def keep(x):
    kept.append(x)


def leak(x):
    keep(x)
    return x


ag.function(leak)(np.float64(1.0))


def f(x):
    return kept[0] + x
