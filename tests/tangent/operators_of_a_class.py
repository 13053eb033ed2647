"""Operators, items and properties of the user's classes are the calls that they are."""

from autograph import tangent


class Vector:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __add__(self, other):
        return Vector(self.a + other.a, self.b + other.b)

    def __getitem__(self, i):
        return self.a if i == 0 else self.b

    @property
    def length(self):
        return self.a * self.a + self.b * self.b

    @length.setter
    def length(self, value):
        self.a = value
        self.b = 0.0


def f(x, y):
    u = Vector(x, y) + Vector(y, x)
    u.length = u[0] * x
    return u.length


derivative = tangent.grad(f)

assert derivative(2.0, 3.0) == 2 * ((2.0 + 3.0) * 2.0) * (2 * 2.0 + 3.0)
