# call: f(np.ones((3, 2)))
import numpy as np


def f(scores):
    return scores.argmax(axis=1)
