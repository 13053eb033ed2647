# call: f(np.asarray(np.ones(3), np.float32))
import autograph as ag
import numpy as np


@ag.function(input_signature=[ag.ArraySpec((None,), np.float32)])
def f(x):
    return x * 2
