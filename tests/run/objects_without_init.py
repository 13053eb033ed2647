# run: by_new(2.0, np.array([1.0, -2.0]))
# run: variables(2.0, np.array([1.0, -2.0]))
# run: variables_in_a_branch(2.0, 3.0)
# run: variables_in_a_branch(-2.0, 3.0)
# run: copied(np.array([1.0, -2.0]), 3.0)
# run: shared(np.array([1.0, -2.0]))
"""Objects that are made by ``__new__`` alone, the dicts of their attributes, and arrays made apart."""

import numpy as np


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def length(self):
        return (self.x * self.x + self.y * self.y) ** 0.5


def by_new(a, v):
    p = Point.__new__(Point)
    p.x = a
    p.y = v[0] * a
    p.x = p.x + 1.0
    return p.length(), type(p).__name__


def variables(a, v):
    p = Point(a, v)
    before = dict(vars(p))
    p.x = a * 3.0
    p.y = v * 2.0
    after = vars(p)
    return before["x"], before["y"], after["x"], sorted(after)


def variables_in_a_branch(a, b):
    p = Point(a, b)
    names = dict(vars(p))
    if a > 0:
        p.x = b
        names = dict(vars(p))
    return p.x, names["x"], names["y"]


def copied(v, b):
    p = Point(v, b)
    q = Point.__new__(Point)
    for name, value in vars(p).items():
        setattr(q, name, value)
    q.y = b * 2.0
    return q.x, q.y, p.y


def shared(v):
    w = v * 2.0
    return np.may_share_memory(w, v), np.shares_memory(w, w + 1.0), np.may_share_memory(w[0], w)
