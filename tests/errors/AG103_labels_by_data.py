# call: f(np.ones((3, 2)))
import numpy as np

names = np.array(["low", "high"])


def f(scores):
    return names[scores.argmax(axis=1)]
