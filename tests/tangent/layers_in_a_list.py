"""Objects in a list: their class is known from what the class of the list's object sets, and asked for."""

import numpy as np
from autograph import tangent


class Layer:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return np.tanh(x * self.w)


class Net:
    def __init__(self, w, depth):
        self.layers = [Layer(w * k) for k in range(1, depth)]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def f(w, x):
    net = Net(w, 4)
    return net(x) * net.layers[0].w


derivative = tangent.grad(f)

ends = [f(0.7 + step, 0.5) for step in (1e-6, -1e-6)]
assert np.isclose(derivative(0.7, 0.5), (ends[0] - ends[1]) / 2e-6)
