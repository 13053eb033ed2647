# call: f(np.float64(1.0))
import random

import numpy as np


def f(x):
    return np.sqrt(x) + len(random.getstate())
