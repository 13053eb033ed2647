# call: f(np.int64(3))
import numpy as np


class Model:
    def __init__(self):
        self.weights = np.zeros(3)

    def train(self, n):
        self.weights[0] += n
        if n > 0:
            self.train(n - 1)
        self.weights = self.weights * 2


def f(n):
    model = Model()
    model.train(n)
    return model.weights
