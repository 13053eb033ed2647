import autograph as ag
import numpy as np


@ag.function
def blocks(x):
    found = []
    for v in x:
        if v > 1:
            found.append(np.array([v, v]))
    return np.block(found)


blocks(np.arange(4.0))
