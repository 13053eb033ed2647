"""Functions and constants whose names others have too: what a name means is decided where it is written."""

import numpy as np

C = 5.0
SCALE = 100.0


def act(x):
    return np.tanh(x) * C


def helper(x, b=2.0):
    return x * b + SCALE
